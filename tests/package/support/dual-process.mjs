// The dual server as a process of its own: over its pipes, and over HTTP in both eras. It says its address on its standard
// error.

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer, modern, sessions } from '../../support/dual-server.mjs';
import { serve } from '../../support/http.mjs';

const [now, before] = [modern(), sessions()];
const { url } = await serve((request) => (new URL(request.url).pathname === '/modern' ? now : before).fetch(request));
serveStdio(buildServer);
process.stderr.write(`${url}\n`);
process.stdin.on('end', () => process.exit());
