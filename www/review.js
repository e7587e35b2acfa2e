/**
 * Asks the person in front of the page: whether a sampling request may go to the model, and as it is or changed; and what
 * to answer to an elicitation. Several questions may be open at the same time.
 */
import { SdkError } from './pkg/index.js';
import { freshId, h } from './dom.js';
import { fieldsFor } from './fields.js';
import { samplingForm } from './request-view.js';

/** The code by which the client knows that a person said no, and nothing is broken. */
const DECLINED = 'SAMPLING_DECLINED';

/**
 * @param {HTMLElement} container where the questions appear
 * @param {{ onOpen(title: string): void, onEmpty(): void }} watcher `onEmpty` is called when the last question has gone and
 *   took the focus with it
 */
export function reviewer(container, { onOpen, onEmpty }) {
  return { sampling, elicitation };

  /** @returns {Promise<object>} the params to give to the model; rejects when the user declines */
  function sampling({ params }, ctx) {
    const form = samplingForm(params);
    return open(ctx, {
      title: 'The server asks your model',
      body: form.element,
      accept: 'Approve',
      onAccept: () => form.read(),
      buttons: {
        Decline: () => {
          throw new SdkError(DECLINED, 'The user declined the sampling request');
        },
      },
    });
  }

  /** @returns {Promise<{ action: 'accept' | 'decline' | 'cancel', content?: object }>} */
  function elicitation({ params }, ctx) {
    const { element, read } = params.mode === 'url' ? linkTo(params.url) : fieldsFor(params.requestedSchema);
    return open(ctx, {
      title: 'The server asks you',
      body: h('div', {}, h('p', { className: 'said' }, params.message), element),
      accept: params.mode === 'url' ? 'I have done it' : 'Send',
      onAccept: () => ({ action: 'accept', ...(read && { content: read() }) }),
      buttons: { Decline: () => ({ action: 'decline' }), Dismiss: () => ({ action: 'cancel' }) },
    });
  }

  function open(ctx, question) {
    return new Promise((resolve, reject) => {
      const panel = panelFor(ctx, question, (decide) => {
        try {
          resolve(decide());
        } catch (error) {
          if (error.code !== DECLINED) throw error;
          reject(error);
        }
        close();
      });
      const aborted = () => {
        reject(ctx.mcpReq.signal.reason);
        close();
      };
      ctx.mcpReq.signal?.addEventListener('abort', aborted, { once: true });
      container.append(panel);
      if (container.childElementCount === 1) focusOn(panel);
      onOpen(question.title);

      function close() {
        ctx.mcpReq.signal?.removeEventListener('abort', aborted);
        const hadFocus = panel.contains(document.activeElement);
        panel.remove();
        if (!hadFocus) return;
        if (container.childElementCount === 0) onEmpty();
        else focusOn(container.firstElementChild);
      }
    });
  }
}

function focusOn(panel) {
  panel.querySelector('h2').focus({ preventScroll: true });
  panel.scrollIntoView({ block: 'nearest' });
}

/** `settle` is given a function that returns the answer or throws; an Error for people leaves the panel open. */
function panelFor(ctx, { title, body, accept, onAccept, buttons }, settle) {
  const problem = h('p', { className: 'problem', role: 'alert' });
  const others = Object.entries(buttons).map(([label, decide]) => h('button', { type: 'button', onclick: () => settle(decide) }, label));
  const form = h(
    'form',
    { onsubmit: submit, onkeydown: submitOnCtrlEnter },
    body,
    problem,
    h('div', { className: 'buttons' }, h('button', { className: 'primary', type: 'submit', title: 'Ctrl+Enter' }, accept), ...others),
  );
  const id = freshId('review');
  return h('section', { className: 'review', 'aria-labelledby': id }, h('h2', { id, tabIndex: -1 }, title), origin(ctx), form);

  function submit(event) {
    event.preventDefault();
    try {
      settle(onAccept);
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  function submitOnCtrlEnter(event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  }
}

/** Which server asks, inside which call, under which key. */
function origin({ mcpReq, server, call }) {
  const parts = [
    ['Request', mcpReq.method],
    ['Key', call?.key],
    ['Inside', call?.name ?? call?.method],
    ['Server', server?.name],
  ];
  const known = parts.filter(([, value]) => value);
  return h('dl', { className: 'facts' }, ...known.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}

/** A server may not see what the user does there, so there is nothing to read. */
function linkTo(url) {
  const safe = /^https?:/i.test(url);
  const link = safe ? h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, url) : h('code', {}, url);
  const warning = !safe && h('p', { className: 'problem' }, 'This is not a web address, so it is not made a link.');
  return { element: h('div', { className: 'field' }, h('p', {}, 'It wants you to go to this address:'), h('p', {}, link), warning) };
}
