/** Joins the parts of the page. */
import { byId, h } from './dom.js';
import { fieldsFor } from './fields.js';
import { errorView, resultView } from './result.js';
import { reviewer } from './review.js';
import { SAMPLE_TEXT } from './sample.js';
import { connect } from './session.js';
import { timeline } from './timeline.js';
import { wireLog } from './wire.js';
import { formatMs } from './rounds.js';

const wire = wireLog({ list: byId('wire'), empty: byId('wire-empty'), indent: byId('indent') });
const rounds = timeline({ lanes: byId('lanes'), list: byId('rounds'), empty: byId('rounds-empty') });
const host = {
  wire,
  reviewer: reviewer(byId('reviews'), {
    onOpen: (title) => say('status', `${title}. It waits for your decision.`),
    onEmpty: () => byId('stop').focus({ preventScroll: true }),
  }),
  isAuto: () => byId('auto').checked,
  roots: () => byId('roots').value.split('\n').map((line) => line.trim()).filter(Boolean),
};

/** The connection and the call under way, if any. */
let session;
let running;
let input;

byId('url').value = new URL('mcp', location.href).href;
byId('server-form').addEventListener('change', chooseServer);
byId('server-form').addEventListener('submit', (event) => {
  event.preventDefault();
  open(byId('url').value);
});
byId('tool').addEventListener('change', showTool);
byId('call-form').addEventListener('submit', (event) => {
  event.preventDefault();
  run();
});
byId('stop').addEventListener('click', () => running?.abort(new DOMException('You stopped the call', 'AbortError')));
open();

function chooseServer({ target }) {
  if (target.name !== 'server') return;
  byId('url-field').hidden = target.value !== 'url';
  if (target.value === 'page') open();
  else forget('Not connected. Enter the address of an MCP endpoint.');
}

/** Connects to a server and shows its tools. */
async function open(url) {
  forget('Connecting…');
  const attempt = (session = {});
  try {
    const opened = await connect(url, host);
    if (session !== attempt) return void opened.client.close();
    session = opened;
    showTools();
    const { name, version } = session.client.getServerVersion?.() ?? {};
    say('server-note', name ? `Connected to ${name} ${version ?? ''}` : 'Connected');
    say('status', 'Ready.');
  } catch (error) {
    if (session === attempt) forget(`Could not connect. ${error.message}`);
  }
}

function forget(why) {
  running?.abort(new DOMException('The connection was changed', 'AbortError'));
  session?.client?.close();
  session = undefined;
  byId('tool').replaceChildren();
  byId('arguments').replaceChildren();
  byId('tool').disabled = byId('run').disabled = true;
  say('tool-note', '');
  say('server-note', why);
  say('status', '');
  wire.clear();
}

function showTools() {
  const options = session.tools.map(({ name }) => h('option', { value: name }, name));
  byId('tool').replaceChildren(...options);
  byId('tool').disabled = byId('run').disabled = options.length === 0;
  if (options.length > 0) showTool();
  else say('tool-note', 'This server has no tools.');
}

function showTool() {
  const tool = selectedTool();
  say('tool-note', tool.description ?? '');
  input = fieldsFor(tool.inputSchema, { text: SAMPLE_TEXT });
  byId('arguments').replaceChildren(input.element);
}

function selectedTool() {
  return session.tools.find(({ name }) => name === byId('tool').value);
}

/** Runs the chosen tool and shows how it goes. */
async function run() {
  let args;
  try {
    args = input.read();
  } catch (error) {
    return say('status', error.message);
  }
  begin();
  const started = performance.now();
  const { signal } = (running = new AbortController());
  try {
    const result = await session.client.callTool({ name: selectedTool().name, arguments: args }, { signal, onround: follow() });
    end(resultView(result), result.isError ? 'The tool reports an error' : 'Done', started);
  } catch (error) {
    const declined = error?.code === 'SAMPLING_DECLINED';
    end(errorView(error), declined ? 'You declined, so the call ended' : 'The call ended with an error', started);
  }
}

function follow() {
  const draw = rounds.start();
  return (event) => {
    draw(event);
    if (event.type === 'retried') say('status', 'The call has gone out again, with the answers');
  };
}

function begin() {
  wire.clear();
  byId('result').hidden = true;
  byId('run').disabled = true;
  byId('stop').disabled = false;
  say('status', 'The call has gone out');
  byId('status').scrollIntoView({ block: 'nearest' });
}

function end(view, words, started) {
  running = undefined;
  const stopHadFocus = document.activeElement === byId('stop');
  byId('stop').disabled = true;
  byId('run').disabled = session === undefined;
  byId('result-body').replaceChildren(view);
  byId('result').hidden = false;
  if (stopHadFocus) byId('result').focus({ preventScroll: true });
  say('status', `${words}, after ${formatMs(performance.now() - started)}.`);
}

function say(id, text) {
  byId(id).textContent = text;
}
