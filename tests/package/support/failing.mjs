// What must hold for every failure of a call: a real and typed error that says what happened, nothing sent again, and a
// client that goes on.

import assert from 'node:assert/strict';
import * as official from '@modelcontextprotocol/client';
import { done, sampled } from '../../support/scripted.mjs';
import { connected, pkg, rejection } from './installed.mjs';

/**
 * Makes a call fail and checks all of that. Returns the error, for what else there is to check.
 *
 * @param {object} failure
 * @param {import('../../support/scripted.mjs').Reply[]} failure.replies the replies to the legs of the failing call
 * @param {number} [failure.sent] how many legs there may be; default: as many as replies
 * @param {string | number} failure.code
 * @param {string[]} [failure.says] what the message must name
 * @param {object} [failure.data] members that `error.data` must have
 * @param {object} [failure.handlers] default: one that answers sampling
 * @param {object} [failure.options] of the client
 * @param {(client: object) => Promise<unknown>} [failure.call] default: calls the tool `slow`
 */
export async function fails({ replies, sent = replies.length, code, says = [], data, handlers = GOOD, options, call = callTool }) {
  const { client, peer } = await connected(following(replies), { handlers, ...options });
  const error = await rejection(call(client));
  checkError(error, { code, says, data });
  await settled();
  assert.equal(peer.legs.length, sent, 'legs that were sent');
  assert.equal(await nextCall(client), 'next', 'the next call');
  return error;
}

/** A script that also answers the call that comes afterwards. */
export function following(replies) {
  const rest = [...replies];
  return (leg) => (leg.message.params?.name === 'next' ? done('next') : rest.shift());
}

export const GOOD = { 'sampling/createMessage': () => sampled() };

export const callTool = (client, options) => client.callTool({ name: 'slow', arguments: {} }, options);

/** Shows that a client still works. */
export async function nextCall(client) {
  return (await client.callTool({ name: 'next', arguments: {} })).content[0].text;
}

/** Lets whatever is due happen, so that what was sent too much has been sent. */
export const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A number is the code of a JSON-RPC error that the server sent, a string one of ours. */
export function checkError(error, { code, says = [], data }) {
  const kind = typeof code === 'number' ? 'ProtocolError' : 'SdkError';
  const other = typeof code === 'number' ? 'SdkError' : 'ProtocolError';
  assert.ok(error instanceof Error, `an Error, not ${String(error)}`);
  assert.equal(error.code, code, error.message);
  for (const { [kind]: is, [other]: isNot } of [pkg, official]) {
    assert.ok(error instanceof is && is.isInstance(error), `instanceof ${kind}`);
    assert.ok(!(error instanceof isNot), `not instanceof ${other}`);
  }
  assert.ok(error.stack.includes(error.message), 'a stack');
  for (const text of says) assert.ok(error.message.includes(text), `'${error.message}' names '${text}'`);
  for (const [name, value] of Object.entries(data ?? {})) assert.deepEqual(error.data?.[name], value, `data.${name}`);
}
