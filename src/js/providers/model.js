// A model: a handler of sampling requests that knows its name and what it can do.

import { expect, optionsOf } from '../text.js';
import { abortable } from './abort.js';
import { pureFunctions, request } from './pure.js';

/**
 * Makes the function that users call, `anthropic` and so on.
 *
 * @param {object} kind
 * @param {string} kind.provider what models say they are
 * @param {string} [kind.format] the provider of the core that speaks its format, if it has another name
 * @param {object} [kind.fixed] options that requests are always built with
 * @param {object} [kind.defaults] options that need not be given
 * @param {object} [kind.always] options that models always build with
 * @param {string[]} kind.own the options that `connect` reads; all others but {@link COMMON} go to the core
 * @param {(own: object, forBuild: object) => Answer} kind.connect
 *
 * @typedef {(built: { path: string, headers: [string, string][], body: Uint8Array, state: string }, run: Run) => Promise<object>} Answer
 * @typedef {{ signal?: AbortSignal, onDelta(delta: object): unknown }} Run
 */
export function defineProvider(kind) {
  return Object.assign((options) => modelOf(kind, options), pureFunctions(kind));
}

const CALLBACKS = ['onDelta', 'onUsage', 'onWarning'];
const ABOUT = ['cost', 'speed', 'intelligence'];
const COMMON = [...CALLBACKS, ...ABOUT, 'abilities'];

function modelOf(kind, given) {
  const { own, common, forBuild } = sorted(kind, optionsOf(given, 'options'));
  for (const name of CALLBACKS) expect(common[name] == null || typeof common[name] === 'function', `options.${name}`, 'a function');
  const build = (params, more) => request(kind.format ?? kind.provider, params, { ...forBuild, ...more });
  // A wrong option should fail here, and not when a server asks for the first time.
  build(PLAIN);
  const host = { ...common, build, answer: kind.connect(own, forBuild) };
  const facts = { name: forBuild.model, provider: kind.provider, abilities: abilitiesOf(host) };
  return describe((request, ctx) => sample(host, request, ctx), { ...facts, ...pick(common, (name) => ABOUT.includes(name)) });
}

/** Which options are for whom. What nobody knows goes to the core, which says so. */
function sorted(kind, options) {
  const own = pick(options, (name) => kind.own.includes(name));
  const common = pick(options, (name) => COMMON.includes(name));
  const rest = pick(options, (name) => !kind.own.includes(name) && !COMMON.includes(name));
  return { own, common, forBuild: { ...kind.defaults, ...rest, ...kind.fixed, ...kind.always } };
}

const pick = (object, wanted) => Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== undefined && wanted(name)));

// `name` of a function can be defined, but not assigned.
function describe(model, facts) {
  for (const [name, value] of Object.entries(facts)) Object.defineProperty(model, name, { value, enumerable: true });
  return model;
}

async function sample({ build, answer, onDelta, onUsage, onWarning }, request, ctx) {
  const signal = ctx?.mcpReq?.signal;
  return abortable(signal, async () => {
    const { warnings, ...built } = build(request?.params);
    for (const warning of warnings) await onWarning?.(warning, ctx);
    const run = { signal, onDelta: (delta) => (signal?.aborted ? undefined : onDelta?.(delta, ctx)) };
    const result = await answer(built, run);
    if (result._meta?.usage && !signal?.aborted) await onUsage?.(result._meta.usage, ctx);
    return result;
  });
}

const asking = (content, more) => ({ messages: [{ role: 'user', content }], maxTokens: 1, ...more });
const TEXT = { type: 'text', text: '?' };
const PLAIN = asking(TEXT);
const PROBES = {
  tools: asking(TEXT, { tools: [{ name: 'f', inputSchema: { type: 'object' } }] }),
  image: asking({ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }),
  audio: asking({ type: 'audio', mimeType: 'audio/wav', data: 'UklGRgAA' }),
};

/** What requests can be built with; whether the model understands it is for the host to know. */
function abilitiesOf({ build, abilities }) {
  expect(abilities == null || Array.isArray(abilities), 'options.abilities', 'an array');
  return abilities ?? Object.keys(PROBES).filter((name) => takes(build, PROBES[name]));
}

function takes(build, params) {
  try {
    return build(params, { strict: false }).warnings.every((warning) => warning.code !== 'dropped');
  } catch {
    return false;
  }
}
