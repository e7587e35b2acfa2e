// Makes the files of dist/ from src/js and the glue that wasm-bindgen wrote.

import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from '../../src/js/entry/decode.js';
import { glue } from './glue.mjs';
import { printable } from './printable.mjs';
import { inRoot, stageDist, workDir } from './project.mjs';
import { capture } from './run.mjs';
import { apart } from './wasm-apart.mjs';

/** Where wasm-bindgen writes the glue of a module. */
export const bindgenDir = ({ name }) => join(workDir, 'bindgen', name);

/**
 * @param {import('./modules.mjs').Module} module
 * @param {WebAssembly.ModuleImportDescriptor[]} imports by the names that the glue knows
 */
export async function bundle(module, imports) {
  const bytes = readFileSync(join(stageDist, `${module.name}.wasm`));
  const text = readFileSync(join(bindgenDir(module), `${module.name}_bg.js`), 'utf8');
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(bytes));
  const parts = wasmParts(module, glue(module, { imports, exports, text }));
  const inlined = asText(bytes);
  await Promise.all(module.files.map((file) => bundleFile(file, parts, inlined)));
}

async function bundleFile({ from, to, format = 'esm' }, parts, inlined) {
  const { outputFiles } = await build({
    entryPoints: [inRoot('src/js/entry', `${from}.js`)],
    write: false,
    absWorkingDir: inRoot(),
    bundle: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    minify: true,
    // Node prints the whole line of an uncaught error; but each break costs a few bytes.
    lineLimit: 1000,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [parts],
  });
  writeFileSync(join(stageDist, to), insert(outputFiles[0].text, inlined));
}

/** What the inlined entries hold, whose way back is tried at once. */
function asText(module) {
  const { bytes, places } = apart(module);
  const { short, text } = printable(bytes);
  const inlined = { short, loader: text(loader()), text: text(bytes), places };
  if (!module.equals(decode(inlined))) throw new Error('the module does not come together again');
  return inlined;
}

function loader() {
  const file = join(workDir, 'together.wasm');
  capture(inRoot('node_modules/.bin/wasm-opt'), [inRoot('src/js/entry/together.wat'), '--enable-bulk-memory', '-Oz', '--converge', '-o', file]);
  return readFileSync(file);
}

const PLACEHOLDERS = { short: '"@short@"', loader: '"@loader@"', text: '"@text@"', places: '"@places@"' };

// After esbuild, which would break the long string into lines at the cost of a kilobyte; here it gets a line of its own.
function insert(code, inlined) {
  for (const [name, placeholder] of Object.entries(PLACEHOLDERS)) {
    const line = name === 'text' ? '\n' : '';
    code = code.replace(placeholder, () => `${line}${JSON.stringify(inlined[name])}${line}`);
  }
  return code;
}

const INLINED = `export const ${Object.entries(PLACEHOLDERS).map((pair) => pair.join(' = '))};`;

// What the entries import by a name that starts with `wasm:`, since it differs from module to module.
function wasmParts(module, contents) {
  const resolveDir = bindgenDir(module);
  return {
    name: 'wasm-parts',
    setup({ onResolve, onLoad }) {
      onLoad({ filter: /^wasm:glue$/, namespace: 'wasm' }, () => ({ contents, resolveDir }));
      onLoad({ filter: /^wasm:parts$/, namespace: 'wasm' }, () => ({ contents: INLINED }));
      onResolve({ filter: /^wasm:public$/ }, () => ({ path: inRoot('src/js', module.index) }));
      // Left for the runtime, relative to the file in dist/.
      onResolve({ filter: /^wasm:file/ }, ({ path }) => ({ path: path.replace('wasm:file', `./${module.name}.wasm`), external: true }));
      onResolve({ filter: /^wasm:/ }, ({ path }) => ({ path, namespace: 'wasm' }));
      // wasm-bindgen copies the JavaScript that Rust imports; two copies of one class would break `instanceof`.
      onResolve({ filter: /^\.\/snippets\/[^/]+\/src\/js\// }, ({ path }) => ({ path: inRoot(path.replace(/^\.\/snippets\/[^/]+\//, '')) }));
    },
  };
}
