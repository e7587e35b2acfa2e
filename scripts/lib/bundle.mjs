// Makes the files of dist/ from src/js and the glue that wasm-bindgen wrote.

import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from './printable.mjs';
import { inRoot, stageDist, workDir } from './project.mjs';

const bindgenDir = join(workDir, 'bindgen');

const ENTRIES = [
  { from: 'inline', to: 'index.js' },
  { from: 'inline', to: 'index.cjs', format: 'cjs' },
  { from: 'workerd', to: 'workerd.js' },
  { from: 'edge-light', to: 'edge-light.js' },
  { from: 'slim', to: 'slim.js' },
];

export async function bundle() {
  const inlined = printable(readWasm());
  await Promise.all(ENTRIES.map((entry) => bundleEntry(entry, inlined)));
}

async function bundleEntry({ from, to, format = 'esm' }, inlined) {
  const { outputFiles } = await build({
    entryPoints: [inRoot('src/js/entry', `${from}.js`)],
    write: false,
    absWorkingDir: inRoot(),
    bundle: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    minify: true,
    // Node prints the whole line of an uncaught error.
    lineLimit: 200,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [wasmParts],
  });
  writeFileSync(join(stageDist, to), insert(outputFiles[0].text, inlined));
}

const PLACEHOLDERS = { alphabet: '"@alphabet@"', text: '"@text@"' };

// After esbuild, which would break the long string into lines at the cost of a kilobyte; here it gets a line of its own.
function insert(code, inlined) {
  for (const [name, placeholder] of Object.entries(PLACEHOLDERS)) {
    code = code.replace(placeholder, () => `\n${JSON.stringify(inlined[name])}\n`);
  }
  return code;
}

// The module imports most things from the glue, but in a build with panic=abort some straight from src/js.
function glue() {
  const module = new WebAssembly.Module(readWasm());
  const names = [...new Set(WebAssembly.Module.imports(module).map((entry) => entry.module))];
  const lines = names.map((name, i) => `import * as from${i} from ${JSON.stringify(name)};`);
  const members = names.map((name, i) => `${JSON.stringify(name)}: from${i}`);
  return `${lines.join('\n')}\nexport * as glue from './mcp_sampling_bg.js';\nexport const imports = { ${members.join()} };`;
}

const readWasm = () => readFileSync(join(stageDist, 'mcp_sampling.wasm'));

const PRINTABLE = `export const alphabet = ${PLACEHOLDERS.alphabet}, text = ${PLACEHOLDERS.text};`;

const wasmParts = {
  name: 'wasm-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^wasm:/ }, ({ path }) => ({ path, namespace: 'wasm' }));
    onLoad({ filter: /^wasm:glue$/, namespace: 'wasm' }, () => ({ contents: glue(), resolveDir: bindgenDir }));
    onLoad({ filter: /^wasm:printable$/, namespace: 'wasm' }, () => ({ contents: PRINTABLE }));
    // Left as it is written, relative to the file in dist/.
    onResolve({ filter: /\.wasm(\?module)?$/ }, ({ path }) => ({ path, external: true }));
    // wasm-bindgen copies the JavaScript that Rust imports; two copies of one class would break `instanceof`.
    onResolve({ filter: /^\.\/snippets\/[^/]+\/src\/js\// }, ({ path }) => ({ path: inRoot(path.replace(/^\.\/snippets\/[^/]+\//, '')) }));
  },
};
