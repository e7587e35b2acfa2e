// Vercel's and Next's edge runtime: as on Workers, with its own spelling of the import.

import module from 'wasm:file?module';
import { provide } from '../instance.js';

provide(() => module);

export * from 'wasm:public';
