/** What the demo writes to the terminal. Nothing else in the demo prints. */
import { formatMs, stepsOfOneCall } from '../../www/rounds.js';

const COLORS = { bold: 1, dim: 2, bad: 31, good: 32, warn: 33, wire: 34, ask: 35, quiet: 2 };

/** @param {NodeJS.WriteStream} out */
export function printer(out = process.stdout) {
  const colored = out.isTTY && !process.env.NO_COLOR;
  const paint = (style, text) => (colored ? `\x1b[${COLORS[style]}m${text}\x1b[0m` : text);
  const line = (text = '') => out.write(`${text}\n`);

  return {
    line,
    title: (text) => line(paint('bold', text)),
    /** @param {Record<string, string>} facts */
    facts(facts) {
      for (const [name, value] of Object.entries(facts)) line(`  ${paint('dim', name.padEnd(8))} ${value}`);
    },
    /** A function to give to a call as `onround`. */
    rounds() {
      const toStep = stepsOfOneCall();
      line(paint('dim', `  ${columns('time', 'round', ' '.repeat(8), 'from     to', 'size', 'what')}`));
      return (event) => line(`  ${row(toStep(event), paint)}`);
    },
    paragraph(text) {
      const width = Math.min(out.columns || 100, 100) - 4;
      for (const each of wrap(text, width)) line(`  ${each}`);
    },
  };
}

function row({ at, round, type, from, to, tone, what, about, size }, paint) {
  const route = from === to ? from : `${from.padEnd(6)} → ${to}`;
  return columns(formatMs(at), String(round), paint(tone, type.padEnd(8)), route, size, `${what}  ${about}`);
}

/** At most 80 characters wide, as long as keys are short. `type` is padded by the caller, who may have coloured it. */
function columns(time, round, type, route, size, what) {
  return [time.padStart(7), round.padStart(5), '', type, route.padEnd(15), size.padStart(7), '', what].join(' ').trimEnd();
}

/** Cuts a text into lines at blanks; a word longer than a line stands alone. */
function wrap(text, width) {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const joined = `${lines.at(-1)} ${word}`.trim();
      if (joined.length <= width) lines[lines.length - 1] = joined;
      else lines.push(word);
    }
    return lines.filter((each, index) => each !== '' || index > 0 || lines.length === 1);
  });
}
