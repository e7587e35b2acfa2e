// The modules that the crate is built into, and the files of dist/ that hold each.

/**
 * @typedef {object} Module
 * @property {string} name of the .wasm file
 * @property {string[]} flags what cargo is told besides
 * @property {string} index what it shows, from src/js
 * @property {string} slim how users import the entry that loads the module by hand
 * @property {{ from: string, to: string, format?: 'cjs' }[]} files which entry of src/js/entry becomes which file
 */

// Some percent smaller after compression than at the profile's own level; docs/performance.md has what that costs.
const SMALL = ['--config', 'profile.release.package.mcp-sampling.opt-level="z"'];

/** @type {Module[]} */
export const MODULES = [
  {
    name: 'mcp_sampling',
    flags: ['--features', 'client', ...SMALL],
    index: 'index.js',
    slim: 'mcp-sampling/slim',
    files: files({ main: 'index', before: '' }),
  },
  {
    name: 'mcp_sampling_providers',
    flags: ['--features', 'providers', ...SMALL],
    index: 'providers/index.js',
    slim: 'mcp-sampling/providers/slim',
    files: files({ main: 'providers', before: 'providers.' }),
  },
  {
    // What the two have in common is there once.
    name: 'mcp_sampling_all',
    flags: ['--features', 'client,providers', ...SMALL],
    index: 'all.js',
    slim: 'mcp-sampling/all/slim',
    files: files({ main: 'all', before: 'all.' }),
  },
];

function files({ main, before }) {
  return [
    { from: 'inline', to: `${main}.js` },
    { from: 'inline', to: `${main}.cjs`, format: 'cjs' },
    { from: 'workerd', to: `${before}workerd.js` },
    { from: 'edge-light', to: `${before}edge-light.js` },
    { from: 'slim', to: `${before}slim.js` },
  ];
}
