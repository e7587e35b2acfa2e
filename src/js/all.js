export * from './index.js';
export * from './providers/index.js';
