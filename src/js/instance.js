// Holds the one instance of a module of the Rust core; each module has its copy of this file. It is made at first use, so
// importing the package costs nothing and a page whose security policy forbids WebAssembly fails only where it uses the
// package.

import { makeError } from './errors.js';
import { file, glue, imports, slim, use } from 'wasm:glue';

let load;
let ready = false;
/** How many calls into the module are under way, one within the other. */
let depth = 0;
/** What stopped the module, until a fresh instance takes its place. */
let stopped;
let broken;
let memory;

/**
 * Says where the compiled module comes from; the entry of each runtime calls it. Later calls count until the first use.
 *
 * @param {() => WebAssembly.Module} source
 */
export function provide(source) {
  load = source;
}

/** The ways into the core. */
export function core() {
  if (stopped && !depth) ready = stopped = undefined;
  if (!ready) instantiate();
  return entries;
}

/** Says who is told when a bug stopped the module, with the error for whoever waits. The next use gets a fresh one. */
export function onBroken(listener) {
  broken = listener;
}

// Nothing of ours throws into the module, so whatever comes out of it by force is a trap, or the end of stack or memory.
// What that left half done is not used again: a stopped instance only lets those return that are still within it.
function guarded(run) {
  return (...given) => {
    if (stopped) throw stopped;
    depth++;
    try {
      return run(...given);
    } catch (cause) {
      stopped ??= makeError('INTERNAL_ERROR', BUG, undefined, cause);
      throw stopped;
    } finally {
      if (--depth === 0 && stopped) broken?.(stopped);
    }
  };
}

const entries = Object.fromEntries(Object.entries(glue).map(([name, run]) => [name, guarded(run)]));

const BUG = 'mcp-sampling met a bug of its own and starts anew: what was under way is over, and clients can connect again; see cause';

function instantiate() {
  if (!load) throw new Error(`mcp-sampling: call and await init() from '${slim}' before anything else`);
  // No `instanceof WebAssembly.Module` here or in the entries: Next's edge runtime hands out modules of another realm.
  const { exports } = new WebAssembly.Instance(compiled(load), imports);
  // The glue keeps views of the memory, and looks for a new one when theirs is detached.
  memory?.grow(0);
  memory = exports.memory;
  use(exports);
  exports.__wbindgen_start?.();
  ready = true;
}

function compiled(source) {
  try {
    return source();
  } catch (error) {
    throw explained(error);
  }
}

/** Replaces the engine's refusal to compile by one that names the remedy; every other error stays as it is. */
export function explained(error) {
  if (error?.name !== 'CompileError') return error;
  const message = String(error.message);
  if (/content.security.policy|unsafe-eval|\bCSP\b/i.test(message)) return new Error(POLICY, { cause: error });
  if (/disallowed by embedder/i.test(message)) return new Error(EMBEDDER, { cause: error });
  return error;
}

const POLICY =
  "mcp-sampling: the page's Content-Security-Policy forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src";
const EMBEDDER =
  "mcp-sampling: this runtime only runs WebAssembly that is imported as a file; resolve the package with the 'workerd' or " +
  `'edge-light' condition, or import '${file}' and give it to init() from '${slim}'`;
