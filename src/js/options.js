// The host's options: checked by name, since a wrong type is an error that names the option, and taken apart for the core.

import { lines } from './enter.js';
import { makeError } from './errors.js';
import { headersOf, optionsOf } from './text.js';

const isBool = (value) => typeof value === 'boolean';
const isFunction = (value) => typeof value === 'function';
const isAmount = (value) => value >= 0 && typeof value === 'number';
const isObject = (value) => typeof value === 'object';
// Not by `instanceof`: the signal may come from another realm.
const isSignal = (value) => isBool(value.aborted) && isFunction(value.addEventListener);

const BOOL = [isBool, 'true or false'];
const FUNCTION = [isFunction, 'a function'];
const AMOUNT = [isAmount, 'a number, 0 or more'];
const SIGNAL = [isSignal, 'an AbortSignal'];

/** The option, or nothing if it is not given. */
function read(options, where, name, [holds, kind]) {
  const value = options[name] ?? undefined;
  if (value !== undefined && !holds(value)) throw unexpected(where, name, kind);
  return value;
}

function unexpected(where, option, kind) {
  return makeError('INVALID_ARGUMENT', `expected ${where}.${option} to be ${kind}`, JSON.stringify({ option }));
}

/** Bits for the options that are set, from the first. */
const bits = (...set) => set.reduce((sum, is, index) => sum | (is ? 1 << index : 0), 0);

/** What the core is told of the options of `new Client`. */
export function clientOptions(given) {
  const options = optionsOf(given, 'options');
  const input = optionsOf(options.inputRequired, 'options.inputRequired');
  const ofInput = (name, kind) => read(input, 'inputRequired', name, kind);
  const of = (name) => read(options, 'options', name, BOOL);
  const [fulfil, rounds] = [ofInput('autoFulfill', BOOL) ?? true, ofInput('maxRounds', AMOUNT)];
  const [requests, handlerTimeoutMs] = [ofInput('maxRequestsPerRound', AMOUNT), ofInput('handlerTimeoutMs', AMOUNT)];
  const [lenient, strict, mirrors] = [of('lenient'), of('strictResultType'), of('mirrorToolHeaders')];
  const flags = bits(fulfil, lenient, strict, mirrors !== undefined, mirrors);
  return { flags, counts: [rounds, requests].map(count), handlerTimeoutMs, ...negotiation(options.versionNegotiation ?? {}) };
}

/** What makes a client of the core, from these options and the JSON texts of what it declares and who it is. */
export function openWith({ flags, counts, handlerTimeoutMs, mode, probeTimeoutMs, probeRetries }, declared, info) {
  const number = flags | (Math.min(probeRetries, 0x7fffff) << 8);
  return [number, lines(...counts, declared, info, mode), undefined, handlerTimeoutMs, probeTimeoutMs];
}

/** A whole number as far as the core counts; more means no limit. */
const count = (number) => (number === undefined ? undefined : Math.min(Math.trunc(number), 0xffffffff));

function negotiation(options) {
  const probe = options.probe ?? {};
  const ofProbe = (name) => read(probe, 'probe', name, AMOUNT);
  return { mode: modeOf(options.mode), probeTimeoutMs: ofProbe('timeoutMs'), probeRetries: ofProbe('maxRetries') ?? 0 };
}

/** The name of a mode, or the date of the one revision that will do; what is neither, the core does not know. */
function modeOf(mode) {
  if (mode == null) return 'auto';
  if (typeof mode === 'string') return mode === 'auto' || mode === 'legacy' ? mode : '';
  return String(mode.pin);
}

/** The core does not know the mode. */
export const unknownMode = () => unexpected('versionNegotiation', 'mode', "'auto', 'legacy' or { pin: 'a revision' }");

/** The options of one call, checked. `limits` is what the core is told of them. */
export function callOptions(given) {
  const options = optionsOf(given, 'options');
  if (options.headers != null) headersOf(options.headers, 'options.headers');
  const of = (name, kind) => read(options, 'options', name, kind);
  const [oncheckpoint, timeout, total] = [of('oncheckpoint', FUNCTION), of('timeout', AMOUNT), of('maxTotalTimeout', AMOUNT)];
  const [resets, allows] = [of('resetTimeoutOnProgress', BOOL), of('allowInputRequired', BOOL)];
  const [signal, onround, onprogress] = [of('signal', SIGNAL), of('onround', FUNCTION), of('onprogress', FUNCTION)];
  const flags = bits(resets, allows, onround, onprogress, oncheckpoint);
  const { prior, toolDefinition } = options;
  const headers = isObject(options.headers) ? (options.headers ?? undefined) : undefined;
  return { signal, onround, onprogress, oncheckpoint, headers, prior, toolDefinition, limits: [timeout ?? NaN, total ?? NaN, flags] };
}

/** The definition of a tool as JSON text. What is none, the core refuses. */
export function toolText(tool) {
  return tool == null ? undefined : (JSON.stringify(tool) ?? 'null');
}

/** What the core is told of the options of `validateRequest` and `validateResult`: revision and flags. */
export function ruleOptions(given) {
  const options = optionsOf(given, 'options');
  const sampling = options.capabilities?.sampling;
  const declares = (name) => sampling?.[name] != null && isObject(sampling[name]);
  const revision = options.protocolVersion ?? '';
  return [typeof revision === 'string' ? revision : '?', bits(declares('tools'), declares('context'), read(options, 'options', 'lenient', BOOL))];
}

/** The core does not know the revision. */
export const unknownRevision = () =>
  unexpected('options', 'protocolVersion', '2025-03-26, 2025-06-18, 2025-11-25 or 2026-07-28');

