// How measured rows are shown: in a terminal, and in docs/performance.md.

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} ours median of this package
 * @property {number} [peer] and of what it is compared with
 * @property {number} [floor] and of what cannot be undercut
 * @property {string} unit
 * @property {number} [ratio] ours by peer
 * @property {number} [target] what the ratio should not exceed
 * @property {{ ours: number, peer?: number, floor?: number }} [spread] the middle half of the values, as a part of their median
 */

export const HEAD = ['', 'ours', 'peer', 'floor', 'unit', 'spread', 'ratio', 'target'];

/** @param {Row} row */
export function cells(row) {
  const target = row.target === undefined ? '' : `≤ ${row.target}`;
  return [row.name, figure(row.ours), figure(row.peer), figure(row.floor), row.unit, spreadOf(row), figure(row.ratio), target];
}

/** @param {Row} row */
export const missed = ({ ratio, target }) => target !== undefined && ratio > target;

/** For a terminal. */
export function line([name, ours, peer, floor, unit, spread, ratio, target]) {
  const numbers = [ours, peer, floor].map((text) => text.padStart(10)).join('');
  return `${name.padEnd(72)}${numbers}  ${unit.padEnd(13)}${spread.padStart(15)}${ratio.padStart(8)}  ${target}`.trimEnd();
}

/** @param {Row[]} rows */
export function markdown(rows) {
  const head = ['what', ...HEAD.slice(1)];
  return [head, head.map(() => '---'), ...rows.map(cells)].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Only what somebody compares who chooses. @param {Row[]} rows */
export function brief(rows) {
  const cellsOf = ({ name, ours, peer, unit, ratio }) => [name, `${figure(ours)} ${unit}`, `${figure(peer)} ${unit}`, figure(ratio)];
  const head = ['', 'this package', 'official client', 'ratio'];
  return [head, head.map(() => '---'), ...rows.map(cellsOf)].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function figure(number) {
  if (number === undefined) return '';
  return number >= 1000 ? Math.round(number).toLocaleString('en') : number.toPrecision(3);
}

/** In per cent, in the order of the medians. */
function spreadOf({ spread = {} }) {
  const parts = [spread.ours, spread.peer, spread.floor].filter((part) => part !== undefined);
  return parts.length ? `${parts.map((part) => Math.round(part * 100)).join(' / ')} %` : '';
}
