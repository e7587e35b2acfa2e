// Makes the glue of wasm-bindgen smaller by what every runtime of ours has, or that a stopped module makes pointless. The
// version is pinned; a glue that is written in another way fails the build.

const REPLACED = [
  // All have `encodeInto`, and strings that cross are short.
  [/\nif \(!\('encodeInto' in cachedTextEncoder\)\) \{\n[^]*?\n\}\n/, ''],
  [/(\nfunction passStringToWasm0\(arg, malloc)[^]*?\n\}\n/, '$1) { return passArray8ToWasm0(cachedTextEncoder.encode(arg), malloc); }\n'],
  [/, wasm\.__wbindgen_realloc\)/g, ')'],
  // A module that runs out of memory is not used again, so nothing need be freed in it.
  [/try \{\n((?: +\w+ = .*\n)+) +\} catch \(e\) \{\n(?: .*__wbindgen_free\(.*\n)+ +throw e;\n +\}\n/g, '$1'],
];

export function lean(glue) {
  return REPLACED.reduce((text, [pattern, shorter]) => {
    const result = text.replace(pattern, shorter);
    if (result === text) throw new Error(`the glue has nothing like ${pattern}: did the version of wasm-bindgen change?`);
    return result;
  }, glue);
}
