// Holds the one instance of a module of the Rust core; each module has its copy of this file. It is made at first use, so
// importing the package costs nothing and a page whose security policy forbids WebAssembly fails only where it uses the
// package.

import { file, glue, imports, slim } from 'wasm:glue';

let load;
let ready = false;

/**
 * Says where the compiled module comes from; the entry of each runtime calls it. Later calls count until the first use.
 *
 * @param {() => WebAssembly.Module} source
 */
export function provide(source) {
  load = source;
}

/** The exports of the core. */
export function core() {
  if (!ready) instantiate();
  return glue;
}

function instantiate() {
  if (!load) throw new Error(`mcp-sampling: call and await init() from '${slim}' before anything else`);
  // No `instanceof WebAssembly.Module` here or in the entries: Next's edge runtime hands out modules of another realm.
  const { exports } = new WebAssembly.Instance(compiled(load), imports);
  glue.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
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
