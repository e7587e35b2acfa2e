// Installs the LiteLLM proxy into this machine's cache, once. Nothing but its tests needs it.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { capture, main } from '../../scripts/lib/run.mjs';

/** The newest of which all parts were published. */
const VERSION = '1.106.12';

const cache = process.env.MCP_SAMPLING_CACHE ?? join(homedir(), '.cache/mcp-sampling');
const folder = join(cache, `litellm-${VERSION}`);

export const executable = join(folder, 'bin/litellm');

export function install() {
  const stamp = join(folder, 'complete');
  if (existsSync(stamp)) return;
  console.log(`installing litellm ${VERSION} (minutes, once)`);
  rmSync(folder, { recursive: true, force: true });
  capture('python3', ['-m', 'venv', folder], { loud: true });
  capture(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', `litellm[proxy]==${VERSION}`], { loud: true });
  writeFileSync(stamp, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(install);
