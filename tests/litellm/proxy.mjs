// The LiteLLM proxy as a process, in front of a server that speaks Chat Completions. It talks to nothing else.

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inRoot } from '../../scripts/lib/project.mjs';
import { executable } from './install.mjs';

const ENV = {
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true',
  LITELLM_LOG: 'ERROR',
};

const START_MS = 90_000;

/** @returns {Promise<{ origin: string, close(): Promise<void> }>} its models are `served` and `failing` */
export async function startProxy(backend) {
  const port = await freePort();
  const folder = inRoot('target/litellm');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config(backend)));
  const args = ['--config', join(folder, 'config.yaml'), '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'];
  const child = spawn(executable, args, { cwd: folder, env: { ...process.env, ...ENV }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(data));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const close = async () => {
    child.kill();
    await closed;
  };
  const origin = `http://127.0.0.1:${port}`;
  try {
    await ready(`${origin}/health/liveliness`, child);
  } catch (error) {
    await close();
    throw new Error(`litellm did not start\n${Buffer.concat(said)}`, { cause: error });
  }
  return { origin, close };
}

/** YAML is a superset of JSON. `custom_openai` is a provider that the proxy knows only Chat Completions of. */
function config(backend) {
  const model = (name) => ({ model_name: name, litellm_params: { model: `custom_openai/${name}`, api_base: backend, api_key: 'backend-key' } });
  return {
    model_list: [model('served'), model('failing')],
    router_settings: { disable_cooldowns: true, num_retries: 0 },
    litellm_settings: { telemetry: false, num_retries: 0 },
  };
}

async function ready(url, child) {
  const end = Date.now() + START_MS;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    if (child.exitCode !== null || Date.now() > end) throw new Error(`exit code ${child.exitCode}`);
    await sleep(200);
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
