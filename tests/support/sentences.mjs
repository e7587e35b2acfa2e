/**
 * Cuts running text into sentences, in a way that does not depend on the engine's locale data.
 *
 * A sentence ends at a full stop, a question or exclamation mark (of several scripts), at a blank line, or before a
 * list bullet. It does not end after a known abbreviation, after an initial ("J. Smith") or inside a number.
 */

/** Words after which a full stop is usually not the end. Lower case, without the stop. */
const ABBREVIATIONS = new Set(
  ('mr mrs ms dr prof rev gen col sgt st mt ft jr sr vs etc al cf approx ca no nos vol vols ch sec fig figs eq ed eds pp ' +
    'inc ltd co corp dept univ est jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun ' +
    'e.g i.e a.m p.m u.s u.k ph.d z.b d.h u.a bzw usw evtl ggf str nr bd hr fr sra srta av p.ex m mme mlle').split(' '),
);

/** Abbreviations that end a sentence when a capital letter follows: "by 5 p.m. The shop". */
const MAY_END = new Set(['etc', 'al', 'a.m', 'p.m', 'u.s', 'u.k', 'inc', 'ltd', 'co', 'corp', 'usw', 'jr', 'sr', 'ph.d']);

/** End marks of scripts that put no space after a sentence, then those that do; closing quotes and brackets belong to it. */
const END = /(?:[。！？｡]+|[.!?…؟۔।॥]+)["'”’»›)\]」』）]*/gu;

/**
 * @typedef {{ text: string, opensParagraph: boolean }} Sentence
 * @param {string} text
 * @returns {Sentence[]} in the order of the text; whitespace inside a sentence is one space
 */
export function splitSentences(text) {
  return paragraphs(text).flatMap((paragraph) =>
    splitParagraph(paragraph).map((sentence, index) => ({ text: sentence, opensParagraph: index === 0 })),
  );
}

function paragraphs(text) {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/u)
    .map((paragraph) => paragraph.replace(/\s+/gu, ' ').replace(/^ ?[-*•] /u, '').trim())
    .filter(Boolean);
}

function splitParagraph(paragraph) {
  const sentences = [];
  let start = 0;
  for (const match of paragraph.matchAll(END)) {
    const end = match.index + match[0].length;
    if (!endsSentence(paragraph, match, end)) continue;
    sentences.push(paragraph.slice(start, end).trim());
    start = end;
  }
  sentences.push(paragraph.slice(start).trim());
  return sentences.filter(Boolean);
}

function endsSentence(paragraph, match, end) {
  if (/[。！？｡]/u.test(match[0])) return true;
  const rest = paragraph.slice(end);
  if (rest !== '' && !rest.startsWith(' ')) return false; // 3.14, example.org, v2.0
  const next = rest.trimStart();
  if (/^\p{Ll}/u.test(next)) return false; // goes on in lower case
  if (!match[0].startsWith('.') || match[0].startsWith('..')) return true;
  return !isAbbreviation(paragraph.slice(Math.max(0, match.index - 16), match.index), next);
}

function isAbbreviation(before, next) {
  const word = /[\p{L}.]+$/u.exec(before)?.[0] ?? '';
  if (/^\p{Lu}$/u.test(word)) return next !== ''; // an initial
  const known = word.toLowerCase();
  if (!ABBREVIATIONS.has(known)) return false;
  return !(MAY_END.has(known) && /^["'“‘(]?\p{Lu}/u.test(next));
}
