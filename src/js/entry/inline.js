// Browsers, Node, Deno, Bun and every bundler: the module travels inside the script and is compiled at first use.

import { loader, places, short, text } from 'wasm:parts';
import { provide } from '../instance.js';
import { decode } from './decode.js';

provide(() => new WebAssembly.Module(decode({ short, loader, text, places })));

export * from 'wasm:public';
