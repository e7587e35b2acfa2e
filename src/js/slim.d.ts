export * from './index.js';

/** What {@link init} can load the module from. */
export type ModuleSource = WebAssembly.Module | BufferSource | Response | URL | string;

/**
 * Loads the WebAssembly module; await it before the first use of anything else from this entry.
 *
 * The module is the file `mcp-sampling/mcp_sampling.wasm`. A URL or string is fetched, and compiled while it arrives
 * where the server sends it as `application/wasm`. After the first use of the package further calls have no effect.
 * Rejects when the module cannot be fetched or compiled; it may then be called again.
 */
export function init(source: ModuleSource | Promise<ModuleSource>): Promise<void>;
