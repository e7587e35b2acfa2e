import type { ModuleSource } from './slim.js';

export * from './all.js';
export type { ModuleSource };

/**
 * Loads the WebAssembly module, the file `mcp-sampling/mcp_sampling_all.wasm`; await it before the first use of anything
 * else from this entry. As `init` of `mcp-sampling/slim` in all other respects.
 */
export function init(source: ModuleSource | Promise<ModuleSource>): Promise<void>;
