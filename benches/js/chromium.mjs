// A page in Chromium that loads a client and makes one call. The files come from a server of this process, compressed
// beforehand as a CDN sends them.

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { brotliCompressSync } from 'node:zlib';
import { CHROME_FLAGS, chromePath } from '../../scripts/lib/chrome.mjs';
import { serve } from '../../tests/support/http.mjs';
import { dist, programs, slimProgram } from './bundles.mjs';

const PAGE = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';

/** The ways to load a client, by the path of the program that the page imports. */
const PATHS = { ours: '/ours.js', slim: '/slim.js', peer: '/peer.js' };

/**
 * Gives `use` a function that visits the page anew with the client it names, and resolves to what the page measured:
 * `{ ms, bytes }`.
 */
export async function inChromium(use) {
  const server = await serve(await files());
  const browser = await chromium.launch({ executablePath: chromePath(), headless: true, args: CHROME_FLAGS });
  try {
    return await use((who) => visit(browser, server.url, who));
  } finally {
    await browser.close();
    await server.close();
  }
}

async function files() {
  const { ours, peer } = await programs('browser');
  const found = new Map([
    ['/', file(Buffer.from(PAGE), 'text/html')],
    [PATHS.ours, file(ours, 'text/javascript')],
    [PATHS.peer, file(peer, 'text/javascript')],
    [PATHS.slim, file(await slimProgram(), 'text/javascript')],
    ['/mcp_sampling.wasm', file(dist('mcp_sampling.wasm'), 'application/wasm')],
  ]);
  return ({ url }) => found.get(new URL(url).pathname)?.() ?? new Response('', { status: 404 });
}

function file(bytes, type) {
  const body = brotliCompressSync(bytes);
  const headers = { 'content-type': type, 'content-encoding': 'br', 'cache-control': 'no-store' };
  return () => new Response(body, { headers });
}

/** A context of its own has no cache, and a process of its own, so that no compiled code is left from the visit before. */
async function visit(browser, url, who) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    const { text, ...measured } = await page.evaluate(loadAndCall, PATHS[who]);
    assert.equal(text, 'done');
    assert.ok(measured.bytes > 0 && measured.bytes < measured.unpacked, `${who} did not arrive compressed: ${JSON.stringify(measured)}`);
    return measured;
  } finally {
    await context.close();
  }
}

/** In the page. */
async function loadAndCall(path) {
  const start = performance.now();
  const { main } = await import(path);
  const text = await main();
  const ms = performance.now() - start;
  const loaded = performance.getEntriesByType('resource').filter(({ name }) => name.startsWith('http'));
  const sum = (key) => loaded.reduce((total, entry) => total + entry[key], 0);
  return { text, ms, bytes: sum('encodedBodySize'), unpacked: sum('decodedBodySize') };
}
