// Makes the files of dist/ from src/js and the glue that wasm-bindgen wrote.

import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { glue } from './glue.mjs';
import { printable } from './printable.mjs';
import { inRoot, stageDist, workDir } from './project.mjs';

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
  const inlined = printable(bytes);
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

const PLACEHOLDERS = { short: '"@short@"', text: '"@text@"', size: '"@size@"' };

// After esbuild, which would break the long string into lines at the cost of a kilobyte; here it gets a line of its own.
function insert(code, inlined) {
  for (const [name, placeholder] of Object.entries(PLACEHOLDERS)) {
    code = code.replace(placeholder, () => `\n${JSON.stringify(inlined[name])}\n`);
  }
  return code;
}

const PRINTABLE = `export const ${Object.entries(PLACEHOLDERS).map((pair) => pair.join(' = '))};`;

// What the entries import by a name that starts with `wasm:`, since it differs from module to module.
function wasmParts(module, contents) {
  const resolveDir = bindgenDir(module);
  return {
    name: 'wasm-parts',
    setup({ onResolve, onLoad }) {
      onLoad({ filter: /^wasm:glue$/, namespace: 'wasm' }, () => ({ contents, resolveDir }));
      onLoad({ filter: /^wasm:printable$/, namespace: 'wasm' }, () => ({ contents: PRINTABLE }));
      onResolve({ filter: /^wasm:public$/ }, () => ({ path: inRoot('src/js', module.index) }));
      // Left for the runtime, relative to the file in dist/.
      onResolve({ filter: /^wasm:file/ }, ({ path }) => ({ path: path.replace('wasm:file', `./${module.name}.wasm`), external: true }));
      onResolve({ filter: /^wasm:/ }, ({ path }) => ({ path, namespace: 'wasm' }));
      // wasm-bindgen copies the JavaScript that Rust imports; two copies of one class would break `instanceof`.
      onResolve({ filter: /^\.\/snippets\/[^/]+\/src\/js\// }, ({ path }) => ({ path: inRoot(path.replace(/^\.\/snippets\/[^/]+\//, '')) }));
    },
  };
}
