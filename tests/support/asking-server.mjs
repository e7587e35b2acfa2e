/**
 * A server that asks for everything in everything: a tool, a prompt and a resource that ask for a completion, a form and
 * the roots, one at a time, all at once, and ten rounds in a row. What it was given comes back in the result.
 */
import { McpServer, ResourceTemplate, createMcpHandler, fromJsonSchema, inputRequired } from '@modelcontextprotocol/server';

const KINDS = {
  sampling: (round) => inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: `round ${round}` } }], maxTokens: 50 }),
  form: () => inputRequired.elicit({ message: 'How many?', requestedSchema: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } }),
  roots: () => inputRequired.listRoots(),
};

/**
 * What is asked in each round: `sampling`, `form`, `roots`, several of them joined by `+`, or `nothing` for a state alone;
 * rounds are separated by commas.
 *
 * @param {string} plan such as `sampling,form+roots,nothing`
 */
export function step(plan, { mcpReq }) {
  const rounds = plan.split(',');
  const state = JSON.parse(mcpReq.requestState() ?? '{"round":0,"given":[]}');
  const given = state.round === 0 ? [] : [...state.given, shown(mcpReq.inputResponses)];
  if (state.round === rounds.length) return { given };
  const kinds = rounds[state.round].split('+').filter((kind) => kind !== 'nothing');
  const round = state.round + 1;
  const inputRequests = Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind](round)]));
  const requestState = JSON.stringify({ round, given });
  return { ask: inputRequired(kinds.length ? { inputRequests, requestState } : { requestState }) };
}

function shown(responses = {}) {
  const { sampling, form, roots } = responses;
  return [sampling && [sampling.content].flat()[0].text, form && `${form.action} ${form.content?.size}`, roots && roots.roots[0].uri]
    .filter(Boolean)
    .join(' & ');
}

function buildServer() {
  const server = new McpServer({ name: 'asking', version: '1.0.0' });
  const plan = { type: 'object', properties: { plan: { type: 'string' } }, required: ['plan'] };
  server.registerTool('ask', { inputSchema: fromJsonSchema(plan) }, (input, context) => {
    const { ask, given } = step(input.plan, context);
    return ask ?? { content: given.map((text) => ({ type: 'text', text })) };
  });
  server.registerPrompt('ask', { argsSchema: fromJsonSchema(plan) }, (input, context) => {
    const { ask, given } = step(input.plan, context);
    return ask ?? { messages: given.map((text) => ({ role: 'user', content: { type: 'text', text } })) };
  });
  server.registerResource('ask', new ResourceTemplate('ask://{plan}', { list: undefined }), {}, (uri, variables, context) => {
    const { ask, given } = step(decodeURIComponent(variables.plan), context);
    return ask ?? { contents: given.map((text) => ({ uri: uri.href, text })) };
  });
  return server;
}

export const createAskingServer = (options) => createMcpHandler(buildServer, options);
