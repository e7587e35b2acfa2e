/**
 * The console of www/ as a fetch-style handler, complete with what the page needs: the built package under /pkg/, the
 * demo server as a module (/server.js, bundled in memory) and as an endpoint (/mcp), the stand-in model under /support/.
 */
import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createDemoServer } from './demo-server.mjs';
import { staticFiles } from './static.mjs';

const inRepo = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Where the built package's main module is. */
export const PACKAGE_MODULE = inRepo('pkg/dist/index.js');

/**
 * @param {{ onerror?: (error: Error) => void }} [options]
 * @returns {{ fetch(request: Request): Promise<Response>, ready(): Promise<void>, close(): Promise<void> }}
 *   `ready` bundles what the page imports, which is otherwise done when it is first asked for
 */
export function createSite({ onerror } = {}) {
  const server = createDemoServer({ onerror });
  const files = [
    staticFiles(inRepo('pkg/dist'), '/pkg/'),
    staticFiles(inRepo('tests/support'), '/support/'),
    staticFiles(inRepo('www')),
  ];
  let bundle;
  const serverModule = () => (bundle ??= bundleServer());
  return { fetch: answer, ready: async () => void (await serverModule()), close: () => server.close() };

  async function answer(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/mcp') return server.fetch(request);
    if (pathname === '/server.js') return javascript(await serverModule());
    for (const file of files) {
      const response = await file(request);
      if (response) return response;
    }
    return new Response('There is nothing here.\n', { status: 404, headers: { 'content-type': 'text/plain' } });
  }
}

/** Whether `make pkg` has been run. */
export async function isPackageBuilt() {
  return access(PACKAGE_MODULE).then(
    () => true,
    () => false,
  );
}

async function bundleServer() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [inRepo('tests/support/demo-server.mjs')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    logLevel: 'silent',
    // Keeps zod from trying `new Function`, which the page's content security policy would report.
    banner: { js: 'globalThis.__zod_globalConfig = { jitless: true };' },
  });
  return outputFiles[0].contents;
}

function javascript(body) {
  return new Response(body, { headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' } });
}
