/** Finds the text to summarise: the demo's own, a file, or standard input. */
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { SAMPLE_TEXT } from '../../www/sample.js';

/** What the demo tells its user without a stack trace. */
export class UserError extends Error {}

const MOST_BYTES = 3_000_000; // the server refuses bodies over 4 MiB, and some letters need an escape

/**
 * @param {string | undefined} source a path, `-` for standard input, or nothing
 * @returns {Promise<{ text: string, origin: string }>}
 */
export async function findText(source) {
  if (!source) return { text: SAMPLE_TEXT, origin: 'the built-in one, about the tides' };
  const origin = source === '-' ? 'standard input' : source;
  const text = source === '-' ? await readInput() : decode(await readTextFile(source), source);
  if (text.trim() === '') throw new UserError(`there is no text in ${origin}.`);
  if (text.includes('\0')) throw new UserError(`${origin} does not hold text.`);
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES) throw new UserError(`${origin} holds ${bytes} bytes; the demo takes up to ${MOST_BYTES}.`);
  return { text, origin };
}

function readInput() {
  if (process.stdin.isTTY) process.stderr.write('Type or paste a text, then press Ctrl-D on a line of its own.\n');
  return readAll(process.stdin);
}

async function readTextFile(path) {
  try {
    return await readFile(path);
  } catch (error) {
    const reason = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'it may not be read' }[error.code];
    throw new UserError(`cannot read ${path}: ${reason ?? error.message}.`);
  }
}

function decode(bytes, path) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UserError(`${path} is not text in UTF-8.`);
  }
}
