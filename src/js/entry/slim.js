// For whoever loads the module alone: streaming compilation, own hosting, or one copy shared by several bundles.

import { explained, provide } from '../instance.js';

export async function init(source) {
  const module = await compile(await source).catch((error) => {
    throw explained(error);
  });
  provide(() => module);
}

async function compile(source) {
  const kind = tag(source);
  if (kind === 'Module') return source;
  if (kind === 'Response') return compileResponse(source);
  if (kind === 'URL' || typeof source === 'string') return compileResponse(await fetch(source));
  if (kind === 'ArrayBuffer' || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  throw new TypeError('mcp-sampling: init() takes a WebAssembly.Module, its bytes, a Response, or a URL');
}

async function compileResponse(response) {
  if (!response.ok) throw new Error(`mcp-sampling: ${response.url || 'the module'} answered with status ${response.status}`);
  // Streaming insists on the right type, which many servers do not send, and Workers have none.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm') && WebAssembly.compileStreaming;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

// Not `instanceof`: the value may come from another realm. 'WebAssembly.Module' ends in 'Module'.
function tag(value) {
  return Object.prototype.toString.call(value).slice(8, -1).split('.').pop();
}

export * from 'wasm:public';
