// Running other programs.

import { spawn, spawnSync } from 'node:child_process';
import { inRoot, root } from './project.mjs';

/** Runs a program and gives its output; what it says on standard error is shown when it fails, or at once when `loud`. */
export function capture(command, args, { env = process.env, loud = false } = {}) {
  const stderr = loud ? 'inherit' : 'pipe';
  const done = spawnSync(command, args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr], maxBuffer: 1 << 28 });
  if (done.error) throw new Error(`${command} cannot be run: ${done.error.message}`);
  if (done.status !== 0) throw new Failed(command, args, `${done.stdout}${done.stderr ?? ''}`);
  return done.stdout;
}

/** Reports as one sentence: the program has already said what is wrong. */
export class Failed extends Error {
  constructor(command, args, output) {
    super(`'${command} ${args.slice(0, 3).join(' ')}' failed\n${output.trim()}`);
    this.name = 'Failed';
  }
}

/**
 * Runs a program as the leader of its own process group, so that a stuck one can be ended together with what it started.
 * Resolves to its exit code, or to null when `limitMs` ended it.
 */
export function supervise(command, args, { env = process.env, limitMs, onData }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let ended = false;
    const stop = () => endGroup(child);
    const timer = setTimeout(() => {
      ended = true;
      stop();
    }, limitMs);
    process.once('exit', stop);
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      process.off('exit', stop);
      resolve(ended ? null : (code ?? 1));
    });
  });
}

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

let env;

/** The environment of every cargo command that builds for wasm. */
export function wasmEnv() {
  return (env ??= readEnv());
}

function readEnv() {
  const script = `set -e; exports=$("$0"); eval "$exports"; env -0`;
  const text = capture('bash', ['-c', script, inRoot('scripts/toolchain.sh')]);
  return Object.fromEntries(text.split('\0').filter(Boolean).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** For scripts: one line for an expected failure, the stack for a mistake of ours. */
export async function main(run) {
  try {
    await run();
  } catch (error) {
    console.error(error instanceof Failed ? `error: ${error.message}` : error);
    process.exitCode = 1;
  }
}
