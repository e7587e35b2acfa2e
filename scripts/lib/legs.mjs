// The legs of `make test`: what each runs, and how its outcome is counted.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHROME_FLAGS, chromePath } from './chrome.mjs';
import { inRoot, pkgDir, tarball } from './project.mjs';
import { wasmEnv } from './run.mjs';

const WASM_TEST = ['test', '--release', '--target', 'wasm32-unknown-unknown', '--test', 'wasm*', '--no-fail-fast'];

/** Each leg gives its steps; `count` names how the output of a step is read (see counts.mjs). */
export const LEGS = {
  fmt: () => [check('cargo', ['fmt', '--check'])],
  clippy: () => [check('cargo', ['clippy', '--all-targets', '--', '-D', 'warnings'])],
  native: () => [{ count: 'cargo', command: 'cargo', args: ['test', '--no-fail-fast'] }],
  docs: () => [check('cargo', ['doc', '--no-deps'], { RUSTDOCFLAGS: '-D warnings' })],
  pkg: () => [check('node', ['scripts/build-pkg.mjs'])],
  size: sizeSteps,
  'clippy-wasm': clippyWasm,
  'wasm-node': () => [wasmTests({ WASM_BINDGEN_TEST_ONLY_NODE: '1' })],
  'wasm-chromium': () => [wasmTests({ WASM_BINDGEN_USE_BROWSER: '1', WASM_BINDGEN_TEST_WEBDRIVER_JSON: webdriver() })],
  types: typeSteps,
  package: packageSteps,
  conformance: () => [nodeTests('tests/conformance')],
  litellm: litellmSteps,
  browser: () => [nodeTests('tests/browser')],
};

/** Cargo's host builds and the wasm build do not disturb each other; what measures time or opens a browser runs alone. */
export const TOGETHER = [['fmt', 'clippy', 'native', 'docs'], ['pkg', 'size', 'clippy-wasm']];
export const ALONE = ['wasm-node', 'wasm-chromium', 'types', 'package', 'conformance', 'litellm', 'browser'];

function check(command, args, env = {}) {
  return { count: 'check', command, args, env: { ...process.env, ...env } };
}

const bin = (name, args) => check(inRoot('node_modules/.bin', name), args);

function wasmTests(env) {
  return { count: 'cargo', command: 'cargo', args: WASM_TEST, env: { ...wasmEnv(), ...env } };
}

// The budgets are those of what is published; a ready-made std is larger, and so is a build that keeps the places of panics.
function sizeSteps() {
  if (!wasmEnv().CARGO_UNSTABLE_BUILD_STD || process.env.MCP_SAMPLING_VERBOSE === '1') return [];
  return [check('node', ['scripts/size.mjs'])];
}

// The host's clippy never sees src/wasm. No steps where the wasm toolchain has no clippy of its own version.
function clippyWasm() {
  const env = wasmEnv();
  const [compiler, clippy] = [[env.RUSTC ?? 'rustc', '-V'], ['cargo', 'clippy', '-V']].map((command) => minor(command, env));
  if (compiler !== clippy) return [];
  const args = ['clippy', '--release', '--all-features', '--target', 'wasm32-unknown-unknown', '--lib', '--test', 'wasm*', '--', '-D', 'warnings'];
  return [{ ...check('cargo', args), env }];
}

function minor([command, ...args], env) {
  const { stdout } = spawnSync(command, args, { env, encoding: 'utf8' });
  return /^\w+ \d+\.(?:1\.)?(\d+)/.exec(stdout)?.[1];
}

function webdriver() {
  const file = inRoot('target/webdriver.json');
  mkdirSync(inRoot('target'), { recursive: true });
  writeFileSync(file, JSON.stringify({ 'goog:chromeOptions': { args: ['--headless', ...CHROME_FLAGS], binary: chromePath() } }));
  return file;
}

function typeSteps() {
  const attw = ['--profile', 'node16', '--exclude-entrypoints', './mcp_sampling.wasm', './mcp_sampling_providers.wasm', './mcp_sampling_all.wasm', '--ignore-rules', 'cjs-resolves-to-esm', '--no-emoji'];
  return [...typescriptSteps(), bin('publint', ['run', pkgDir, '--strict']), bin('attw', [tarball(), ...attw])];
}

// Our declarations must be right by themselves; the official client's, which tests may compare with, want Node's types.
function typescriptSteps() {
  const own = tsc('declarations', 'nodenext', join(pkgDir, 'dist/*.d.*'), { skipLibCheck: false });
  if (!existsSync(inRoot('tests/types'))) return [own];
  return [own, ...['nodenext', 'bundler'].map((resolution) => tsc(resolution, resolution, inRoot('tests/types/*.ts'), { skipLibCheck: true }))];
}

function tsc(name, moduleResolution, include, options) {
  const folder = inRoot('target/types', name);
  mkdirSync(folder, { recursive: true });
  const declared = (file) => [join(pkgDir, 'dist', file)];
  const compilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution,
    paths: {
      'mcp-sampling': declared('index.d.ts'),
      'mcp-sampling/slim': declared('slim.d.ts'),
      'mcp-sampling/providers': declared('providers.d.ts'),
      'mcp-sampling/providers/slim': declared('providers.slim.d.ts'),
      'mcp-sampling/all': declared('all.d.ts'),
      'mcp-sampling/all/slim': declared('all.slim.d.ts'),
    },
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [include] }));
  return bin('tsc', ['-p', folder]);
}

function packageSteps() {
  return [check('node', ['tests/package/support/install.mjs']), nodeTests('tests/package')];
}

// An implementation that knows nothing of ours, and takes half a gigabyte: only where somebody asks for it.
function litellmSteps() {
  if (!process.env.MCP_SAMPLING_LITELLM && !process.env.CI) return [];
  return [check('node', ['tests/litellm/install.mjs']), nodeTests('tests/litellm')];
}

function nodeTests(folder) {
  const files = readdirSync(inRoot(folder)).filter((name) => name.endsWith('.test.mjs'));
  return { count: 'node', command: 'node', args: ['--test', '--test-reporter=spec', '--test-timeout=240000', '--test-concurrency=3', ...files.map((name) => join(folder, name))] };
}
