// Makes the files of dist/ from src/js and the glue that wasm-bindgen wrote.

import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lean } from './glue.mjs';
import { printable } from './printable.mjs';
import { inRoot, stageDist, workDir } from './project.mjs';
import { FROM, numbered } from './wasm-imports.mjs';

/** Where wasm-bindgen writes the glue of a module. */
export const bindgenDir = ({ name }) => join(workDir, 'bindgen', name);

/** @param {import('./modules.mjs').Module} module */
export async function bundle(module) {
  const path = join(stageDist, `${module.name}.wasm`);
  const bytes = readFileSync(path);
  const shipped = numbered(bytes);
  writeFileSync(path, shipped);
  const parts = wasmParts(module, glue(module, new WebAssembly.Module(bytes)));
  const inlined = printable(shipped);
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

const PLACEHOLDERS = { alphabet: '"@alphabet@"', text: '"@text@"' };

// After esbuild, which would break the long string into lines at the cost of a kilobyte; here it gets a line of its own.
function insert(code, inlined) {
  for (const [name, placeholder] of Object.entries(PLACEHOLDERS)) {
    code = code.replace(placeholder, () => `\n${JSON.stringify(inlined[name])}\n`);
  }
  return code;
}

// The module imports most things from the glue, but what needs no conversion straight from src/js.
function glue({ name, slim }, compiled) {
  const own = `./${name}_bg.js`;
  const imports = WebAssembly.Module.imports(compiled);
  const modules = [...new Set([own, ...imports.map(({ module }) => module)])];
  const lines = modules.map((from, i) => `import * as from${i} from '${from}';`);
  const members = imports.map(({ module, name }) => `from${modules.indexOf(module)}.${name}`);
  // What starts with underscores is between the glue and the module.
  const entries = WebAssembly.Module.exports(compiled).filter(({ kind, name }) => kind === 'function' && !name.startsWith('__'));
  return `${lines.join('\n')}
export { __wbg_set_wasm as use } from '${own}';
export const glue = { ${entries.map((entry) => `${entry.name}: from0.${entry.name}`)} };
export const imports = { ${FROM}: [${members}] };
export const slim = '${slim}', file = 'mcp-sampling/${name}.wasm';`;
}

const PRINTABLE = `export const alphabet = ${PLACEHOLDERS.alphabet}, text = ${PLACEHOLDERS.text};`;

// What the entries import by a name that starts with `wasm:`, since it differs from module to module.
function wasmParts(module, contents) {
  const resolveDir = bindgenDir(module);
  return {
    name: 'wasm-parts',
    setup({ onResolve, onLoad }) {
      onLoad({ filter: /^wasm:glue$/, namespace: 'wasm' }, () => ({ contents, resolveDir }));
      onLoad({ filter: /^wasm:printable$/, namespace: 'wasm' }, () => ({ contents: PRINTABLE }));
      onLoad({ filter: /_bg\.js$/ }, ({ path }) => ({ contents: lean(readFileSync(path, 'utf8')) }));
      onResolve({ filter: /^wasm:public$/ }, () => ({ path: inRoot('src/js', module.index) }));
      // Left for the runtime, relative to the file in dist/.
      onResolve({ filter: /^wasm:file/ }, ({ path }) => ({ path: path.replace('wasm:file', `./${module.name}.wasm`), external: true }));
      onResolve({ filter: /^wasm:/ }, ({ path }) => ({ path, namespace: 'wasm' }));
      // wasm-bindgen copies the JavaScript that Rust imports; two copies of one class would break `instanceof`.
      onResolve({ filter: /^\.\/snippets\/[^/]+\/src\/js\// }, ({ path }) => ({ path: inRoot(path.replace(/^\.\/snippets\/[^/]+\//, '')) }));
    },
  };
}
