export function median(numbers) {
  return quantile(numbers, 0.5);
}

/** The middle half of the values, as a part of their median. */
export function spread(numbers) {
  return (quantile(numbers, 0.75) - quantile(numbers, 0.25)) / median(numbers);
}

function quantile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at % 1);
}

/**
 * A row of the table from what each contestant took.
 *
 * @param {string} name
 * @param {{ ours: number[], peer: number[], floor?: number[] }} taken
 * @param {{ unit: string, target?: number }} about
 */
export function compared(name, taken, about) {
  const each = (figure) => Object.fromEntries(Object.entries(taken).map(([who, values]) => [who, figure(values)]));
  const medians = each(median);
  return { name, ...medians, ...about, ratio: medians.ours / medians.peer, spread: each(spread), runs: taken.ours.length };
}
