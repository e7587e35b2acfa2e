// Reads how many tests passed and failed from what a test program printed, and the part that explains a failure.

const READERS = {
  check: () => ({ passed: 0, failed: 0 }),
  cargo: (text) => withSilent(text, sum(text, /^test result: .*? (?<passed>\d+) passed; (?<failed>\d+) failed/gm)),
  node: (text) => ({ passed: last(text, /^ℹ pass (\d+)/gm), failed: last(text, /^ℹ fail (\d+)/gm) + last(text, /^ℹ cancelled (\d+)/gm) }),
};

/** `code` is the exit code, null for a program that was ended because it took too long. */
export function count(kind, text, code) {
  const found = READERS[kind](plain(text));
  if (kind === 'check') return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  // A crash has no counts, and a run without a single test proves nothing.
  const broken = code !== 0 || found.passed === 0;
  return { passed: found.passed, failed: broken ? Math.max(1, found.failed) : found.failed };
}

function sum(text, pattern) {
  const totals = { passed: 0, failed: 0 };
  for (const { groups } of text.matchAll(pattern)) {
    totals.passed += Number(groups.passed);
    totals.failed += Number(groups.failed);
  }
  return totals;
}

// Node ends with success when a test waits for ever, and the runner then says nothing: such a file counts as failed.
function withSilent(text, { passed, failed }) {
  const begun = matches(text, /^ +(Running|Doc-tests) /gm);
  const ended = matches(text, /^test result: |^no tests to run!|so skipping$/gm);
  return { passed, failed: failed + Math.max(0, begun - ended) };
}

const matches = (text, pattern) => [...text.matchAll(pattern)].length;

const last = (text, pattern) => Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);

const BEGINNING = /^failures:|^error(\[|:)|panicked at|Failed to detect test|^✖ failing tests|^\s*Diff in |: error TS/;

/** At most `limit` lines, from the first that says what is wrong; else the end. */
export function explanation(text, limit = 80) {
  const lines = plain(text).trimEnd().split('\n');
  const first = lines.findIndex((line) => BEGINNING.test(line));
  const shown = first < 0 ? lines.slice(-limit) : lines.slice(Math.max(0, first - 2), first + limit);
  return shown.map(cut).join('\n');
}

// Built files have lines of 100,000 characters.
const cut = (line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line);

const plain = (text) => text.replace(/\x1b(\[[0-9;]*[A-Za-z]|\(B)/g, '').replace(/\r\n/g, '\n');
