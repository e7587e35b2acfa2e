// Browsers, Node, Deno, Bun and every bundler: the module travels inside the script and is compiled at first use.

import { alphabet, text } from 'wasm:printable';
import { provide } from '../instance.js';

provide(() => new WebAssembly.Module(decode()));

// One character for each byte: compressed a fifth smaller than base64.
function decode() {
  if (alphabet.length !== 256) throw new Error(NOT_UTF8);
  const values = new Uint8Array(0x180);
  for (let byte = 0; byte < 256; byte++) values[alphabet.charCodeAt(byte)] = byte;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = values[text.charCodeAt(i)];
  return bytes;
}

const NOT_UTF8 = 'mcp-sampling: this script was not read as UTF-8; add <meta charset="utf-8"> to the page';

export * from 'wasm:public';
