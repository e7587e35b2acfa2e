/**
 * The main job in a terminal, then in a browser: an MCP server asks for sampling in the middle of a tool call, and the
 * package answers with a small summariser.
 *
 *     node scripts/demo.mjs [path | -] [--once]
 *
 * `make demo` passes TEXT and ONCE in the environment. PORT fixes the port, which is otherwise a free one.
 */
import { once } from 'node:events';
import { printer } from './demo/print.mjs';
import { UserError, findText } from './demo/text.mjs';

const print = printer();

try {
  await main(readOptions(process.argv.slice(2), process.env));
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${explain(error)}\n`);
}

function explain(error) {
  if (error instanceof UserError) return `demo: ${error.message}`;
  if (error.code === 'ERR_MODULE_NOT_FOUND') return `demo: a package this demo needs is missing. Run: npm ci\n${error.message}`;
  return `demo: the call did not come through.\n${error.stack}${error.code ? `\ncode: ${error.code}` : ''}`;
}

function readOptions(args, env) {
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--once');
  if (unknown) throw new UserError(`there is no option ${unknown}. Usage: node scripts/demo.mjs [path | -] [--once]`);
  const port = Number(env.PORT || 0);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UserError(`PORT must be a port number, not ${env.PORT}.`);
  return {
    source: args.find((arg) => !arg.startsWith('--')) ?? env.TEXT,
    onlyOnce: args.includes('--once') || !['', '0', undefined].includes(env.ONCE),
    port,
  };
}

async function main({ source, onlyOnce, port }) {
  const { text, origin } = await findText(source);
  const { createSite, serve, answerSampling, MODEL, pkg } = await load();
  const site = createSite();
  const http = await listen(serve, site, port);
  try {
    print.title('One tools/call, with a question to the client’s model in the middle of it');
    print.facts({ server: `${http.url}/mcp`, text: `${origin}, ${text.length} characters`, model: `${MODEL}, in this process` });
    print.line();
    await summarize(pkg, `${http.url}/mcp`, text, answerSampling);
    if (!onlyOnce) await serveConsole(site, http);
  } finally {
    await site.close();
    await http.close();
  }
}

/** Loads late what may be missing on a fresh machine, so that the message can say what to do. */
async function load() {
  const [site, http, model] = await Promise.all([
    import('../tests/support/site.mjs'),
    import('../tests/support/http.mjs'),
    import('../tests/support/summarizer.mjs'),
  ]);
  if (!(await site.isPackageBuilt())) throw new UserError('the package is not built yet. Run: make pkg');
  return { ...site, ...http, ...model, pkg: await import('../pkg/dist/index.js') };
}

async function listen(serve, site, port) {
  try {
    return await serve(site, { port });
  } catch (error) {
    if (error.code === 'EADDRINUSE') throw new UserError(`port ${port} is in use. Choose another one with PORT, or none.`);
    throw error;
  }
}

async function summarize({ Client, StreamableHTTPClientTransport }, url, text, answerSampling) {
  const client = new Client({ name: 'mcp-sampling-demo', version: '1.0.0' });
  client.setRequestHandler('sampling/createMessage', answerSampling);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const result = await client.callTool({ name: 'summarize', arguments: { text } }, { onround: print.rounds() });
  await client.close();
  print.line();
  print.title(result.isError ? 'The tool reports an error' : 'Summary');
  for (const block of result.content) print.paragraph(block.text ?? `[${block.type}]`);
}

async function serveConsole(site, http) {
  print.line();
  await site.ready();
  print.title('The same call in a page, with every request for you to review');
  print.facts({ open: `${http.url}/`, stop: 'Ctrl-C' });
  const stopped = new AbortController();
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal, { signal: stopped.signal })));
  stopped.abort();
  print.line('\nStopped.');
}
