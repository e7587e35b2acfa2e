/** Files of a folder as a fetch-style handler, for test pages and the console. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/**
 * @param {string} folder
 * @param {string} [prefix] the part of the path that stands for the folder, with a slash at both ends
 * @returns {(request: Request) => Promise<Response | undefined>} undefined when there is no such file
 */
export function staticFiles(folder, prefix = '/') {
  return async (request) => {
    const path = request.method === 'GET' || request.method === 'HEAD' ? fileFor(request.url, folder, prefix) : undefined;
    const body = path === undefined ? undefined : await read(path);
    return body && new Response(body, { headers: { 'content-type': typeOf(path), 'cache-control': 'no-cache' } });
  };
}

function fileFor(url, folder, prefix) {
  const path = decode(new URL(url).pathname);
  if (!path?.startsWith(prefix)) return undefined;
  const inside = path.slice(prefix.length) || 'index.html';
  const file = normalize(join(folder, inside));
  return file.startsWith(normalize(folder + sep)) ? file : undefined;
}

function decode(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined; // a stray per cent sign
  }
}

async function read(path) {
  try {
    return await readFile(path);
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE'].includes(error.code)) return undefined;
    throw error;
  }
}

function typeOf(path) {
  return TYPES[extname(path)] ?? 'application/octet-stream';
}
