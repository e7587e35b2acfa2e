// Compiled, never run: what the declarations must refuse.

import { Client, ProtocolError, SdkError, StreamableHTTPClientTransport, selectModel } from 'mcp-sampling';
import type { CallCheckpoint, CreateMessageResult, RoundEvent } from 'mcp-sampling';

declare const client: Client;

// @ts-expect-error a client has a name and a version
new Client();
// @ts-expect-error a version
new Client({ name: 'a' });
// @ts-expect-error a list is no set of capabilities
new Client({ name: 'a', version: '1' }, { capabilities: ['sampling'] });
// @ts-expect-error capabilities are objects, never true
new Client({ name: 'a', version: '1' }, { capabilities: { sampling: true } });
// @ts-expect-error there is no such option
new Client({ name: 'a', version: '1' }, { maxRounds: 3 });
// @ts-expect-error a number
new Client({ name: 'a', version: '1' }, { inputRequired: { maxRounds: '3' } });
// @ts-expect-error a URL or a string
new StreamableHTTPClientTransport(1);
// @ts-expect-error fetch is a function
new StreamableHTTPClientTransport('https://example.com', { fetch: 'fetch' });
// @ts-expect-error somewhere to connect to
void client.connect();

// @ts-expect-error not one of the three methods
client.setRequestHandler('ping', () => ({}));
// @ts-expect-error a handler
client.setRequestHandler('roots/list');
// @ts-expect-error a sampling result has a role, a model and content
client.setRequestHandler('sampling/createMessage', () => ({ text: 'hi' }));
// @ts-expect-error the role is one of two
client.setRequestHandler('sampling/createMessage', () => ({ role: 'system', model: 'm', content: { type: 'text', text: '' } }));
// @ts-expect-error an unknown kind of block
client.setRequestHandler('sampling/createMessage', () => ({ role: 'assistant', model: 'm', content: { type: 'poem', text: '' } }));
// @ts-expect-error an unknown action
client.setRequestHandler('elicitation/create', () => ({ action: 'maybe' }));
// @ts-expect-error roots have a uri
client.setRequestHandler('roots/list', () => ({ roots: [{ name: 'a' }] }));
client.setRequestHandler('sampling/createMessage', ({ params }) => {
  // @ts-expect-error the prompt may be missing
  const text = params.systemPrompt.trim();
  return { role: 'assistant', model: 'm', content: { type: 'text', text } };
});

// @ts-expect-error parameters
void client.callTool();
// @ts-expect-error a name
void client.callTool({ arguments: {} });
// @ts-expect-error arguments are an object
void client.callTool({ name: 't', arguments: 'x' });
// @ts-expect-error arguments of prompts are texts
void client.getPrompt({ name: 'p', arguments: { n: 1 } });
// @ts-expect-error a uri
void client.readResource({ name: 'r' });
// @ts-expect-error a method
void client.request({ params: {} });
// @ts-expect-error milliseconds
void client.callTool({ name: 't' }, { timeout: '1s' });
// @ts-expect-error a signal, not its controller
void client.callTool({ name: 't' }, { signal: new AbortController() });
// @ts-expect-error no such option
void client.callTool({ name: 't' }, { onRound() {} });
// @ts-expect-error a checkpoint has a checksum
const broken: CallCheckpoint = { version: 1, method: 'tools/call', round: 1, requests: [] };
void client.resumeCall(broken);

// @ts-expect-error codes of ours are texts
new SdkError(1, 'x');
// @ts-expect-error those of servers are numbers
new ProtocolError('x', 'x');
// @ts-expect-error the code cannot be changed
new SdkError('X', 'x').code = 'Y';

export function notAStep(event: RoundEvent): boolean {
  // @ts-expect-error there is no such step
  return event.type === 'started';
}

// @ts-expect-error a model has a name
selectModel(undefined, [{ cost: 1 }]);

// @ts-expect-error content
export const result: CreateMessageResult = { role: 'assistant', model: 'm' };
