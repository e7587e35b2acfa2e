// The conversation with tools that every provider goes through, on the side of the MCP server.

/** What the tools answer to the calls of a round. */
export function resultsOf(round, calls) {
  const result = (index, content, more) => ({ type: 'tool_result', toolUseId: calls[index].id, content, ...more });
  if (round > 0) return [result(0, [], { structuredContent: { sum: 2 } })];
  return [result(0, [{ type: 'text', text: 'contents' }]), result(1, [{ type: 'text', text: 'overflow' }], { isError: true })];
}

/** Messages without what is each provider's own: ids become numbers, metadata goes. */
export function plain(messages) {
  const ids = [];
  const numbered = (id) => (ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1);
  const change = ({ _meta, ...block }) => {
    for (const member of ['id', 'toolUseId']) if (member in block) block[member] = numbered(block[member]);
    return block;
  };
  return messages.map(({ role, content }) => ({ role, content: Array.isArray(content) ? content.map(change) : content }));
}
