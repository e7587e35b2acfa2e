// The host's options: checked by name, since a wrong type is an error that names the option, and taken apart for the core.

import { lines } from './enter.js';
import { invalid } from './errors.js';
import { headersOf, optionsOf } from './text.js';

const is = (type) => (value) => typeof value === type;
const isBool = is('boolean');
const isString = is('string');
const isFunction = is('function');

const ANY = [() => true];
const BOOL = [isBool, 'true or false'];
const STRING = [isString, 'a string'];
const FUNCTION = [isFunction, 'a function'];
const AMOUNT = [(value) => value >= 0 && typeof value === 'number', 'a number, 0 or more'];
// Not by `instanceof`: the signal may come from another realm.
const SIGNAL = [(value) => isBool(value.aborted) && isFunction(value.addEventListener), 'an AbortSignal'];
const PROVIDER = [(value) => isFunction(value.token), 'an object with token(); an OAuth provider of the official client goes into withOAuth()'];
const POLICY = [(value) => ['same-origin', 'follow'].includes(value), "'same-origin' or 'follow'"];

/** Those of the options that are given and have a kind. */
function read(options, kinds, where = 'options') {
  const values = {};
  for (const name in kinds) {
    const value = options[name];
    if (value == null) continue;
    const [holds, kind] = kinds[name];
    if (!holds(value)) throw unexpected(where, name, kind);
    values[name] = value;
  }
  return values;
}

const unexpected = (where, option, kind) => invalid(`expected ${where}.${option} to be ${kind}`, { option });

/** Bits for the options that are set, from the first. */
export const bits = (...set) => set.reduce((sum, is, index) => sum | (is ? 1 << index : 0), 0);

const CLIENT = { lenient: BOOL, strictResultType: BOOL, mirrorToolHeaders: BOOL, onWarning: FUNCTION };
const INPUT = { autoFulfill: BOOL, maxRounds: AMOUNT, maxRequestsPerRound: AMOUNT, handlerTimeoutMs: AMOUNT };
const PROBE = { timeoutMs: AMOUNT, maxRetries: AMOUNT };

/** What makes a client of the core, with the JSON texts of what it declares and who it is, and what hears warnings. */
export function clientOptions(given, declared, info) {
  const options = optionsOf(given);
  const { lenient, strictResultType, mirrorToolHeaders, onWarning } = read(options, CLIENT);
  const { autoFulfill = true, ...input } = read(optionsOf(options.inputRequired, 'options.inputRequired'), INPUT, 'inputRequired');
  const { mode, probe } = options.versionNegotiation ?? {};
  const { timeoutMs, maxRetries = 0 } = read(probe ?? {}, PROBE, 'probe');
  const flags = bits(autoFulfill, lenient, strictResultType, mirrorToolHeaders !== undefined, mirrorToolHeaders);
  const text = lines(count(input.maxRounds), count(input.maxRequestsPerRound), declared, info, modeOf(mode));
  return { onWarning, made: [flags | (Math.min(maxRetries, 0x7fffff) << 8), text, undefined, input.handlerTimeoutMs, timeoutMs] };
}

/** A whole number as far as the core counts; more means no limit. */
const count = (number) => (number === undefined ? undefined : Math.min(Math.trunc(number), 0xffffffff));

/** The name of a mode, or the date of the one revision that will do; what is neither, the core does not know. */
function modeOf(mode) {
  if (mode == null) return 'auto';
  if (isString(mode)) return mode === 'auto' || mode === 'legacy' ? mode : '';
  return String(mode.pin);
}

/** The core does not know the mode. */
export const unknownMode = () => unexpected('versionNegotiation', 'mode', "'auto', 'legacy' or { pin: 'a revision' }");

const CALL = {
  resetTimeoutOnProgress: BOOL,
  allowInputRequired: BOOL,
  onround: FUNCTION,
  onprogress: FUNCTION,
  oncheckpoint: FUNCTION,
  timeout: AMOUNT,
  maxTotalTimeout: AMOUNT,
  signal: SIGNAL,
  prior: ANY,
  toolDefinition: ANY,
};

/** The options of one call, checked. `limits` is what the core is told of them. */
export const callOptions = (given) => (given == null ? NONE : checkedOptions(optionsOf(given)));

function checkedOptions(options) {
  const checked = read(options, CALL);
  if (options.headers != null) checked.headers = headersOf(options.headers, 'options.headers');
  const { resetTimeoutOnProgress, allowInputRequired, onround, onprogress, oncheckpoint, timeout, maxTotalTimeout } = checked;
  const flags = bits(resetTimeoutOnProgress, allowInputRequired, onround, onprogress, oncheckpoint);
  return { ...checked, limits: [timeout, maxTotalTimeout, flags] };
}

const NONE = checkedOptions({});

/** The definition of a tool as JSON text. What is none, the core refuses. */
export function toolText(tool) {
  return tool == null ? undefined : (JSON.stringify(tool) ?? 'null');
}

const TRANSPORT = {
  fetch: FUNCTION,
  requestInit: ANY,
  authProvider: PROVIDER,
  redirectPolicy: POLICY,
  sessionId: STRING,
  protocolVersion: STRING,
};

/** The options of a transport, checked. */
export function transportOptions(given) {
  const options = read(optionsOf(given), TRANSPORT);
  headersOf(optionsOf(options.requestInit, 'options.requestInit').headers, 'options.requestInit.headers');
  return options;
}

/** What the core is told of the options of `validateRequest` and `validateResult`: revision and flags. */
export function ruleOptions(given) {
  const options = optionsOf(given);
  const { tools, context } = options.capabilities?.sampling ?? {};
  const { lenient } = read(options, { lenient: BOOL });
  const declares = (value) => value && typeof value === 'object';
  const revision = options.protocolVersion ?? '';
  return [isString(revision) ? revision : '?', bits(declares(tools), declares(context), lenient)];
}

/** The core does not know the revision. */
export const unknownRevision = () =>
  unexpected('options', 'protocolVersion', '2025-03-26, 2025-06-18, 2025-11-25 or 2026-07-28');
