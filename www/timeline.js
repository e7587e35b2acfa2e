/** Draws the rounds of a call as arrows between three lanes: the server, the client, the host. */
import { h } from './dom.js';
import { formatMs, stepsOfOneCall } from './rounds.js';

const NAMES = { server: 'Server', client: 'Client', host: 'Host' };

/**
 * @param {{ lanes: HTMLElement, list: HTMLElement, empty: HTMLElement }} elements
 * @returns {{ start(): (event: object) => void }} `start` clears the drawing and returns the `onround` of the next call
 */
export function timeline({ lanes, list, empty }) {
  return { start };

  function start() {
    list.replaceChildren();
    lanes.hidden = true;
    empty.hidden = false;
    const toStep = stepsOfOneCall();
    let round;
    return (event) => {
      const step = toStep(event);
      lanes.hidden = false;
      empty.hidden = true;
      if (step.round !== round && step.round > 0) list.append(mark(step.round));
      round = step.round;
      list.append(draw(step));
    };
  }
}

/** A method name may go on in the next line after its slash. */
function breakable(name) {
  const [first, ...rest] = name.split(/(?<=\/)/);
  return [first, ...rest.flatMap((part) => [h('wbr'), part])];
}

function mark(round) {
  return h('li', { className: 'mark' }, h('span', {}, `Round ${round}`));
}

function draw({ type, at, from, to, tone, what, about, size }) {
  const route = from === to ? NAMES[from] : `${NAMES[from]} to ${NAMES[to].toLowerCase()}`;
  return h(
    'li',
    { className: `step ${tone}`, 'data-type': type },
    h('span', { className: 'time' }, formatMs(at)),
    h(
      'div',
      { className: `arrow ${from}-${to}` },
      h('span', { className: 'hidden' }, `${route}: `),
      h('span', { className: 'line', 'aria-hidden': 'true' }),
      h('span', { className: 'words' }, h('b', {}, type), ' ', h('code', {}, ...breakable(what))),
      h('span', { className: 'more' }, [about, size].filter(Boolean).join(' · ')),
    ),
  );
}
