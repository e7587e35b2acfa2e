import type { ModuleSource } from './slim.js';

export * from './providers.js';

/**
 * Loads the WebAssembly module, the file `mcp-sampling/mcp_sampling_providers.wasm`; await it before the first use of
 * anything else from this entry. As `init` of `mcp-sampling/slim` in all other respects.
 */
export function init(source: ModuleSource | Promise<ModuleSource>): Promise<void>;
