// Google's Gemini API, as far as the tests need it: what it refuses, and how it answers.

import { characters, data, isBase64, isText, need, only } from './checks.mjs';

export const gemini = {
  name: 'gemini',
  options: { model: 'gemini-3-pro' },
  path: /^\/models\/gemini-3-pro:(streamGenerateContent\?alt=sse|generateContent)$/,
  keyHeader: (key) => ({ 'x-goog-api-key': key }),
  headers: { 'content-type': 'application/json' },
  judge,
  toolNames: (body) => body.tools[0].functionDeclarations.map((tool) => tool.name),
  reply,
  events: (reply) => chunksOf(reply).map(data),
  error: (type, message) => ({ error: { code: 400, message, status: type.toUpperCase() } }),
  midStream: 'data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}\r\n\r\n',
  midStreamType: 'UNAVAILABLE',
  refusal: 'contentFilter',
};

const isName = (name) => /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/.test(name);

function judge(body) {
  only(body, 'contents systemInstruction generationConfig tools toolConfig labels', 'body');
  only(body.generationConfig, 'maxOutputTokens temperature stopSequences', 'generationConfig');
  need(body.contents.length > 0, 'contents is not specified');
  let before = { role: 'model', parts: [] };
  for (const content of body.contents) {
    only(content, 'role parts', 'content');
    need(['user', 'model'].includes(content.role) && content.role !== before.role, 'roles take turns');
    need(content.parts.length > 0, 'contents.parts must not be empty');
    content.parts.forEach(content.role === 'user' ? judgeUserPart : judgeModelPart);
    judgeResults(before, content);
    before = content;
  }
  judgeSignatures(body.contents);
  judgeTools(body);
}

function judgeUserPart(part) {
  only(part, Object.keys(part)[0], 'part of the user');
  if (part.inlineData) need(/^(image|audio)\//.test(part.inlineData.mimeType) && isBase64(part.inlineData.data), 'inlineData');
  else if (part.functionResponse) judgeResponse(part.functionResponse);
  else need(isText(part.text), 'blank text');
}

function judgeResponse(response) {
  only(response, 'id name response parts', 'functionResponse');
  need(isName(response.name) && response.response?.constructor === Object, 'functionResponse');
}

function judgeModelPart(part) {
  only(part, 'text thought functionCall thoughtSignature', 'part of the model');
  if (part.functionCall) {
    only(part.functionCall, 'id name args', 'functionCall');
    need(isName(part.functionCall.name) && part.functionCall.args?.constructor === Object, 'functionCall');
  } else need(typeof part.text === 'string', 'part of the model');
}

/** As many responses as calls, right after them, in their order. */
function judgeResults(before, { parts }) {
  const calls = before.parts.flatMap((part) => part.functionCall ?? []);
  const results = parts.flatMap((part) => part.functionResponse ?? []);
  need(calls.length === results.length, 'the number of function response parts is not that of the function call parts');
  calls.forEach((call, index) => need(call.name === results[index].name && call.id === results[index].id, 'order of responses'));
}

/** The first call of each step of the current turn must have the signature that came with it. */
function judgeSignatures(contents) {
  const turn = contents.findLastIndex(({ role, parts }) => role === 'user' && parts.some((part) => part.text));
  for (const { role, parts } of contents.slice(turn)) {
    const first = role === 'model' ? parts.find((part) => part.functionCall) : undefined;
    need(!first || isText(first.thoughtSignature), 'function call is missing a thought_signature');
  }
}

function judgeTools({ tools = [], toolConfig }) {
  need(tools.length < 2, 'one entry of tools');
  for (const tool of tools.flatMap((entry) => entry.functionDeclarations)) {
    only(tool, 'name description parametersJsonSchema', 'functionDeclaration');
    need(isName(tool.name) && typeof tool.description === 'string' && tool.parametersJsonSchema.type === 'object', 'functionDeclaration');
  }
  need(!toolConfig || tools.length > 0, 'toolConfig without tools');
}

const STOPS = { done: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' };

function reply({ thought, text, calls = [], end }, names, turn) {
  const parts = [
    ...(thought ? [{ text: thought, thought: true }] : []),
    ...(text ? [{ text }] : []),
    ...calls.map(({ tool, input }, index) => ({
      functionCall: { id: `fc-${turn}-${index}`, name: names[tool], args: input },
      // Of parallel calls only the first has one.
      ...(index === 0 && { thoughtSignature: Buffer.from(thought ?? 'none').toString('base64') }),
    })),
  ];
  const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 4, thoughtsTokenCount: 3, cachedContentTokenCount: 2, totalTokenCount: 19 };
  const candidate = { content: { role: 'model', parts }, finishReason: STOPS[end ?? 'done'], index: 0 };
  return { candidates: [candidate], usageMetadata, modelVersion: 'gemini-3-pro', responseId: `r${turn}` };
}

/** Text in pieces, calls whole. */
function chunksOf({ candidates: [{ content, finishReason }], usageMetadata, ...rest }) {
  const chunk = (parts, more) => ({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], ...rest, usageMetadata: { promptTokenCount: 12 } });
  const pieces = content.parts.flatMap((part) => (part.text ? characters(part.text).map((text) => ({ ...part, text })) : [part]));
  return [...pieces.map((part) => chunk([part])), { ...chunk([{ text: '' }], { finishReason }), usageMetadata }];
}
