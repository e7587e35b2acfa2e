// The JavaScript between a module and src/js: what wasm-bindgen wrote, without what makes it large.

import { FROM } from './wasm-imports.mjs';

// The version of wasm-bindgen is pinned; glue that is written in another way fails the build.
const SHORTER = [
  // Texts cross as their bytes, and where bytes are wanted, a text will do.
  [/\nif \(!\('encodeInto' in cachedTextEncoder\)\) \{\n[^]*?\n\}\n/, ''],
  [/\nfunction passStringToWasm0\([^]*?\n\}\n/, ''],
  [/passStringToWasm0/g, 'passArray8ToWasm0'],
  [/(\nfunction passArray8ToWasm0\(arg, malloc\) \{)/, "$1 if (typeof arg === 'string') arg = utf8(arg);"],
  [/\nconst cachedTextEncoder = .*/, ''],
  // Numbers are small, and addresses are those of the stack.
  [/\(?\b(arg\d+|ret) >>> 0\)?(?= \+)|\b(arg\d+|ret) >>> 0/g, '$1$2'],
  // What is returned as an address and a length is written in one go.
  [/getDataViewMemory0\(\)\.setInt32\((\w+) \+ 4 \* 1, (\w+), true\);\n +getDataViewMemory0\(\)\.setInt32\(\1 \+ 4 \* 0, (\w+), true\);/g, 'new Uint32Array(wasm.memory.buffer, $1, 2).set([$3, $2]);'],
  [/\nlet cachedDataViewMemory0 = null;\nfunction getDataViewMemory0\(\)[^]*?\n\}\n/, '\n'],
  // Nothing of the host is in the module's table.
  [/(function __wbindgen_init_externref_table\(\) \{)[^]*?\n\}/, '$1\n}'],
  [/, wasm\.__wbindgen_realloc\)/g, ')'],
  // Times the size of a byte.
  [/ [*/] 1\b/g, ''],
  [/\n *cachedTextDecoder\.decode\(\);/g, ''],
];

function shortened(glue) {
  return SHORTER.reduce((text, [pattern, shorter]) => {
    const result = text.replace(pattern, shorter);
    if (result === text) throw new Error(`the glue has nothing like ${pattern}: did the version of wasm-bindgen change?`);
    return result;
  }, glue);
}

/**
 * The source of `wasm:glue`. The imports stand in a list, for the module knows them by their numbers.
 *
 * @param {import('./modules.mjs').Module} module
 * @param {object} parts
 * @param {WebAssembly.ModuleImportDescriptor[]} parts.imports in the order of their numbers
 * @param {WebAssembly.ModuleExportDescriptor[]} parts.exports
 * @param {string} parts.text what wasm-bindgen wrote
 */
export function glue({ name, slim }, { imports, exports, text }) {
  const { taken, rest } = apart(shortened(text));
  // What needs no conversion the module imports straight from src/js.
  const direct = imports.filter((entry) => !taken.has(entry.name));
  // What starts with underscores is between the glue and the module.
  const entries = exports.filter((entry) => entry.kind === 'function' && !entry.name.startsWith('__'));
  const hidden = entries.find((entry) => !text.includes(`\nexport function ${entry.name}(`));
  if (hidden) throw new Error(`the export ${hidden.name} has the name of an import: rename one of them`);
  return `import { utf8 } from './snippets/of/src/js/text.js';
${[...new Set(direct.map((entry) => `import { ${entry.name} } from '${entry.module}';`))].join('\n')}
${rest}
export { __wbg_set_wasm as use };
export const glue = { ${entries.map((entry) => entry.name)} };
export const imports = { ${FROM}: [${imports.map((entry) => taken.get(entry.name) ?? entry.name)}] };
export const slim = '${slim}', file = 'mcp-sampling/${name}.wasm';`;
}

/** Takes the functions that the module imports out of the glue. */
function apart(text) {
  const taken = new Map();
  const rest = text.replace(/^export function (__wbg_(?!set_wasm)\w+|__wbindgen_\w+)(\(.*\n[^]*?^\}\n)/gm, (_, name, body) => {
    taken.set(name, `function ${body}`);
    return '';
  });
  return { taken, rest };
}
