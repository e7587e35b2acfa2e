// The only way to build the npm package: cargo → wasm-bindgen → wasm-opt → esbuild → pkg/ → tarball.

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bindgenDir, bundle } from './lib/bundle.mjs';
import { builtFrom, crateInputs, inputs, remember } from './lib/inputs.mjs';
import { MODULES } from './lib/modules.mjs';
import { inRoot, manifest, namedWasm, pkgDir, stageDir, stageDist, tarball, workDir } from './lib/project.mjs';
import { capture, main, wasmEnv } from './lib/run.mjs';
import { MEASURED, measure, table } from './lib/sizes.mjs';
import { numbered } from './lib/wasm-imports.mjs';
import { ordered } from './lib/wasm-order.mjs';
import { withoutCustom } from './lib/wasm-sections.mjs';

const TARGET = 'wasm32-unknown-unknown';
// What a module is after compression counts: inlining less than usual makes it 3 % smaller, and building the control flow
// anew and forgetting alignments, which are only hints, another 1 %. -Oz in place of -O3 saves a third of a percent, and costs
// a tenth of the speed of a check. Nothing of ours lies in the first kilobyte of memory, the far end of the stack.
// The names of functions stay until the end: `make size` reads them in target/pkg/named.
const SHAPE = ['--flatten', '--rereloop', '-O3', '-O3', '--converge', '-ocimfs', '20', '-fimfs', '8', '--low-memory-unused', '--dealign'];
const OPTIMIZE = [...SHAPE, '--reorder-locals', '-g', '--strip-producers', '--strip-target-features'];

await main(async () => {
  const hash = inputs(wasmEnv().MCP_SAMPLING_WASM_KEY);
  if (builtFrom(hash)) return console.log(`pkg/ is up to date (${manifest().name} ${manifest().version})`);
  rmSync(stageDir, { recursive: true, force: true });
  mkdirSync(stageDist, { recursive: true });
  mkdirSync(workDir, { recursive: true });
  for (const module of MODULES) await make(module);
  copyTexts();
  pack();
  rmSync(pkgDir, { recursive: true, force: true });
  renameSync(stageDir, pkgDir);
  remember(hash);
  console.log([`${manifest().name} ${manifest().version} in pkg/`, ...table(MEASURED.map(measure))].join('\n'));
});

async function make(module) {
  const optimized = optimize(module, bindgen(module));
  ship(module, numbered(optimized));
  await bundle(module, WebAssembly.Module.imports(new WebAssembly.Module(optimized)));
}

// The bundler target's `_bg.js` does not care how the module is loaded; src/js/instance.js does that.
function bindgen(module) {
  const out = bindgenDir(module);
  const stamp = join(out, 'inputs.sha256');
  const hash = crateInputs(wasmEnv().MCP_SAMPLING_WASM_KEY);
  const result = join(out, `${module.name}_bg.wasm`);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return result;
  const compiled = compile(module);
  rmSync(out, { recursive: true, force: true });
  const flags = ['--target', 'bundler', '--no-typescript', '--remove-producers-section'];
  capture('wasm-bindgen', [...flags, '--out-name', module.name, '--out-dir', out, compiled], { env: wasmEnv(), loud: true });
  writeFileSync(stamp, hash);
  return result;
}

// Modules overwrite each other in cargo's folders, and clones, which share the intermediate ones, do so too: by the times of
// files alone cargo can take another clone's for ours.
function compile({ name, flags }) {
  utimesSync(inRoot('src/lib.rs'), new Date(), new Date());
  console.log(`building ${name}.wasm (the first build of the standard library takes minutes)`);
  capture('cargo', ['build', '-q', '--release', '--lib', '--target', TARGET, ...flags], { env: wasmEnv(), loud: true });
  return join(wasmEnv().CARGO_TARGET_DIR, TARGET, 'release/mcp_sampling.wasm');
}

// The slowest step, and not needed when only JavaScript changed.
function optimize({ name }, from) {
  const files = [from, inRoot('scripts/lib/wasm-order.mjs'), inRoot('scripts/lib/wasm-operations.mjs')];
  const hash = files.reduce((hash, file) => hash.update(readFileSync(file)), createHash('sha256').update(OPTIMIZE.join()));
  const key = hash.digest('hex').slice(0, 16);
  const folder = join(workDir, 'optimized', name);
  const kept = join(folder, `${key}.wasm`);
  if (!existsSync(kept)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const optimized = join(folder, 'optimized.wasm');
    capture(inRoot('node_modules/.bin/wasm-opt'), [...OPTIMIZE, from, '-o', optimized]);
    writeFileSync(kept, ordered(readFileSync(optimized)));
  }
  return readFileSync(kept);
}

function ship({ name }, named) {
  // The features section told wasm-opt what to accept; a module that still needs it would not load.
  const shipped = withoutCustom(named);
  new WebAssembly.Module(shipped);
  writeFileSync(join(stageDist, `${name}.wasm`), shipped);
  mkdirSync(dirname(namedWasm(name)), { recursive: true });
  writeFileSync(namedWasm(name), named);
}

function copyTexts() {
  writeFileSync(join(stageDir, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  for (const name of readdirSync(inRoot('src/js')).filter((name) => name.endsWith('.d.ts'))) declare(name);
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE']) copy(name, name);
}

// The same declarations twice: TypeScript tells the kind of a module by its extension. `slim` entries have no CommonJS twin.
function declare(name) {
  const text = readFileSync(inRoot('src/js', name), 'utf8');
  writeFileSync(join(stageDist, name), text);
  if (name.endsWith('slim.d.ts')) return;
  const required = text.replace(/\b(from |import\()(['"]\.\/\w+)\.js(['"])/g, '$1$2.cjs$3');
  writeFileSync(join(stageDist, name.replace('.d.ts', '.d.cts')), required);
}

// What is missing does not keep anybody from trying the rest.
function copy(from, to) {
  if (existsSync(inRoot(from))) copyFileSync(inRoot(from), join(stageDir, to));
  else console.log(`note: ${from} is missing, so the package lacks ${to}`);
}

function pack() {
  rmSync(tarball(), { force: true });
  capture('npm', ['pack', stageDir, '--pack-destination', workDir, '--ignore-scripts']);
  if (!existsSync(tarball())) throw new Error(`npm pack did not write ${tarball()}`);
}
