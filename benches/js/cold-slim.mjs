// As cold-program.mjs, with the entry that fetches its module as a file.

import { init } from 'mcp-client';
import { main as call } from './cold-program.mjs';

export async function main() {
  await init(new URL('./mcp_sampling.wasm', import.meta.url));
  return call();
}
