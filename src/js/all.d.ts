/**
 * `mcp-sampling` and `mcp-sampling/providers` in one: for hosts that use both from the start. What the two have in common
 * is there once, so this is a sixth smaller than both; to load the providers when they are needed, import them apart.
 */
export * from './index.js';
export * from './providers.js';
