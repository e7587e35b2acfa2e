/** Writes down every HTTP exchange, through a `fetch` that wraps another one. */
import { h } from './dom.js';
import { formatBytes, formatMs } from './rounds.js';

const encoder = new TextEncoder();

/**
 * @param {{ list: HTMLElement, empty: HTMLElement, indent: HTMLInputElement }} elements
 * @returns {{ wrap(inner: typeof fetch): typeof fetch, clear(): void }}
 */
export function wireLog({ list, empty, indent }) {
  const bodies = [];
  indent.addEventListener('change', () => bodies.forEach((show) => show()));
  return { wrap, clear };

  function clear() {
    list.replaceChildren();
    bodies.length = 0;
    empty.hidden = false;
  }

  function wrap(inner) {
    return async (url, init = {}) => {
      const entry = newEntry(url, init);
      try {
        const response = await inner(url, init);
        entry.answered(response);
        return response;
      } catch (error) {
        entry.failed(error);
        throw error;
      }
    };
  }

  function newEntry(url, { method = 'GET', headers, body }) {
    const started = performance.now();
    const sent = typeof body === 'string' ? body : body ? new TextDecoder().decode(body) : '';
    const state = h('span', { className: 'state' }, '…');
    const details = h('details', {}, h('summary', {}, h('b', {}, methodOf(sent) ?? method), state));
    details.append(part(`${method} ${url}`, headers, sent));
    list.append(h('li', {}, details));
    empty.hidden = true;
    return { answered, failed };

    async function answered(response) {
      state.textContent = `${response.status} …`;
      const copy = response.clone();
      const text = await copy.text().catch((error) => `The body broke off: ${error.message}`);
      const sizes = `${formatBytes(size(sent))} out, ${formatBytes(size(text))} in`;
      state.textContent = `${response.status} · ${sizes} · ${formatMs(performance.now() - started)}`;
      details.append(part(`${response.status} ${response.headers.get('content-type') ?? ''}`.trim(), undefined, text));
    }

    function failed(error) {
      state.textContent = `${error.name} · ${formatMs(performance.now() - started)}`;
      state.classList.add('bad');
      details.append(h('p', { className: 'problem' }, error.message));
    }
  }

  function part(head, headers, text) {
    const pre = h('pre', { tabIndex: 0 });
    const show = () => (pre.textContent = indent.checked ? indented(text) : text);
    bodies.push(show);
    show();
    const lines = [...new Headers(headers)].map(([name, value]) => `${name}: ${name === 'authorization' ? '(hidden)' : value}`);
    return h('div', { className: 'part' }, h('p', { className: 'head' }, head), lines.length > 0 && h('pre', { className: 'headers', tabIndex: 0 }, lines.join('\n')), text && pre);
  }
}

function methodOf(body) {
  return /"method"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

function size(text) {
  return encoder.encode(text).length;
}

/** JSON with line breaks; the data of an event stream likewise; anything else as it is. */
function indented(text) {
  return text.replace(/^(data: ?)?(\{.*\})[ \t\r]*$/gm, (whole, prefix = '', json) => {
    try {
      return prefix + JSON.stringify(JSON.parse(json), null, 2);
    } catch {
      return whole;
    }
  });
}
