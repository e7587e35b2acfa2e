/**
 * A small, deterministic, extractive summariser that stands in for a language model.
 *
 * It picks the sentences whose words carry the text: term frequency without stop words, a bonus for opening sentences,
 * a penalty for saying again what is already picked. The picked sentences come out in the order of the text. The same
 * text always gives the same summary, on every engine; nothing is fetched.
 */
import { splitSentences } from './sentences.mjs';

/** The name the summariser gives as `model`. */
export const MODEL = 'extractive-1';

const DEFAULT_SENTENCES = 3;
const MOST_SENTENCES = 50;
const REDUNDANCY = 0.7;
const NOTHING = 'There is no text to summarise.';

const STOP_WORDS = new Set(
  ('a about after again all also an and any are as at be because been before being between both but by can could did do does ' +
    'down during each even few for from had has have he her here him his how i if in into is it its just like made make many may ' +
    'me more most much must my no not now of off on once one only or other our out over own per said same she should so some such ' +
    'than that the their them then there these they this those through to too under until up upon us use very was we were what ' +
    'when where which while who whom why will with would you your ' +
    'der die das den dem des ein eine einer eines und oder nicht ist sind war mit von zu auf für als auch wird ' +
    'le la les un une des du de et ou est sont dans que qui pour par sur pas ' +
    'el los las una y o es son en por para con del se').split(' '),
);

/**
 * Answers a `sampling/createMessage` request: usable as a request handler.
 *
 * @param {{ params: object }} request
 * @returns {{ role: 'assistant', content: { type: 'text', text: string }, model: string, stopReason: 'endTurn' | 'maxTokens' }}
 */
export function answerSampling({ params }) {
  const { text, cut } = summarize(lastUserText(params.messages), {
    sentences: sentencesAskedFor(params),
    maxTokens: params.maxTokens,
  });
  return { role: 'assistant', content: { type: 'text', text }, model: MODEL, stopReason: cut ? 'maxTokens' : 'endTurn' };
}

/**
 * @param {string} text
 * @param {{ sentences?: number, maxTokens?: number }} [options]
 * @returns {{ text: string, cut: boolean }} `cut` when `maxTokens` left something out
 */
export function summarize(text, { sentences = DEFAULT_SENTENCES, maxTokens = Infinity } = {}) {
  const all = splitSentences(text).map(analyse);
  if (all.length === 0) return { text: NOTHING, cut: false };
  const scored = score(all);
  const picked = pick(scored, sentences, maxTokens);
  if (picked.length === 0) return { text: shorten(best(scored).text, maxTokens), cut: true };
  const cut = picked.length < Math.min(sentences, all.length);
  picked.sort((a, b) => a.index - b.index);
  return { text: join(picked.map((sentence) => sentence.text)), cut };
}

/** About how many tokens a text costs: four for three words; one for each letter of scripts without spaces. */
export function countTokens(text) {
  const dense = text.match(DENSE)?.length ?? 0;
  const words = text.replace(DENSE, ' ').match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  return dense + Math.ceil((words * 4) / 3);
}

/** Scripts written without spaces between words. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

function lastUserText(messages) {
  const last = messages.findLast((message) => message.role === 'user');
  return [last?.content ?? []]
    .flat()
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('\n\n');
}

/** The one instruction it understands: "at most 3 sentences", "in 1 sentence". */
function sentencesAskedFor({ systemPrompt = '' }) {
  const asked = /(\d+)\s+sentences?\b/iu.exec(systemPrompt);
  return asked ? Math.min(Math.max(1, Number(asked[1])), MOST_SENTENCES) : DEFAULT_SENTENCES;
}

function analyse({ text, opensParagraph }, index) {
  const terms = new Set(words(text));
  return { text, index, opensParagraph, terms, length: countTokens(text), score: 0 };
}

/** Lower-case content words; for scripts without spaces, pairs of letters. */
function words(text) {
  const spaced = text.replace(DENSE, ' ').toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
  const letters = text.match(DENSE) ?? [];
  const pairs = letters.slice(1).map((letter, i) => letters[i] + letter);
  return [...spaced.filter((word) => word.length > 2 && !STOP_WORDS.has(word)), ...pairs];
}

/** Gives each sentence its worth: the mean weight of its words, with the place in the text. */
function score(sentences) {
  const weights = termWeights(sentences);
  for (const sentence of sentences) {
    let sum = 0;
    for (const term of sentence.terms) sum += weights.get(term);
    sentence.score = (sum / Math.sqrt(sentence.terms.size + 4)) * placeFactor(sentence, sentences.length);
  }
  return sentences;
}

/** A word counts for the sentences it is in; one that is in most of them says nothing, in any language. */
function termWeights(sentences) {
  const counts = new Map();
  for (const { terms } of sentences) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const tooCommon = Math.max(4, sentences.length * 0.6);
  return new Map([...counts].map(([term, count]) => [term, count > tooCommon ? 0 : Math.log1p(count)]));
}

function placeFactor({ index, opensParagraph, text, length }, total) {
  let factor = index === 0 ? 1.3 : opensParagraph ? 1.15 : 1;
  if (index === total - 1 && total > 3) factor *= 1.05;
  if (/[?؟？]["'”’»)]*$/u.test(text)) factor *= 0.7;
  if (length < 6 || length > 60) factor *= 0.6;
  return factor;
}

/** Takes the best sentence that still fits, again and again; what resembles a taken one is worth less. */
function pick(sentences, wanted, maxTokens) {
  const picked = [];
  let budget = maxTokens;
  let left = sentences;
  while (picked.length < wanted) {
    left = left.filter((sentence) => sentence.length <= budget && !picked.includes(sentence));
    if (left.length === 0) break;
    const sentence = best(left, picked);
    picked.push(sentence);
    budget -= sentence.length;
  }
  return picked;
}

function best(candidates, picked = []) {
  const worth = (sentence) => sentence.score * (1 - REDUNDANCY * Math.max(0, ...picked.map((other) => overlap(sentence, other))));
  let found = candidates[0];
  let most = worth(found);
  for (const candidate of candidates.slice(1)) {
    const value = worth(candidate);
    if (value > most) [found, most] = [candidate, value];
  }
  return found;
}

function overlap(a, b) {
  const shared = [...a.terms].filter((term) => b.terms.has(term)).length;
  return shared / Math.max(1, Math.min(a.terms.size, b.terms.size));
}

/** The longest beginning of a sentence that fits, at a word's end. */
function shorten(sentence, maxTokens) {
  const parts = sentence.match(/\S+\s*/gu).flatMap((part) => (part.search(DENSE) < 0 ? [part] : [...part]));
  let text = '';
  for (const part of parts) {
    if (countTokens(`${text}${part}`) > maxTokens) break;
    text += part;
  }
  return text === '' ? '…' : `${text.trimEnd()}…`;
}

/** No space between sentences of scripts that use none. */
function join(sentences) {
  return sentences.reduce((text, next) => `${text}${/[。！？｡]["'”’»)」』）]*$/u.test(text) ? '' : ' '}${next}`);
}
