/** Shows how a call ended: the tool's result, or the error. */
import { h, pretty } from './dom.js';
import { mediaView } from './request-view.js';

/** @param {{ content?: object[], structuredContent?: object, isError?: boolean }} result */
export function resultView({ content = [], structuredContent, isError }) {
  return h(
    'div',
    { className: isError ? 'outcome bad' : 'outcome' },
    isError && h('p', { className: 'problem' }, 'The tool reports an error.'),
    ...content.map((block) => (block.type === 'text' ? h('p', { className: 'text' }, block.text) : mediaView(block))),
    structuredContent && h('details', {}, h('summary', {}, 'Structured content'), h('pre', { tabIndex: 0 }, pretty(structuredContent))),
  );
}

/** @param {unknown} error what the call rejected with */
export function errorView(error) {
  const code = error?.code === undefined ? error?.name : error.code;
  const cause = error?.cause instanceof Error && error.cause.message !== error.message && error.cause.message;
  return h(
    'div',
    { className: 'outcome bad' },
    h('p', { className: 'problem' }, error?.message ?? String(error)),
    cause && h('p', { className: 'note' }, `Because: ${cause}`),
    code !== undefined && h('p', { className: 'note' }, 'Code ', h('code', {}, String(code))),
  );
}
