// Cloudflare Workers: bytes must not be compiled inside a request, an imported file already is.

import module from 'wasm:file';
import { provide } from '../instance.js';

provide(() => module);

export * from 'wasm:public';
