// Keeps an answer within a number of tokens where the model cannot.

/** How many tokens the session says an input takes; NaN where it cannot say. */
export async function measured(session, input, options) {
  const measure = session.measureContextUsage ?? session.measureInputUsage;
  return measure ? measure.call(session, input, options) : NaN;
}

export class TokenLimit {
  #measure;
  #max;
  #text = '';
  /** As many bytes fit for sure: a token has at least one. */
  #room;
  #overhead;

  /** @param {(text: string) => Promise<number>} measure it may count more than the text, but always as much more */
  constructor(measure, max = Infinity) {
    [this.#measure, this.#max, this.#room] = [measure, max, max];
  }

  /** How much of the next piece is within the limit, and whether that was the last. */
  async take(piece) {
    const bytes = encoder.encode(piece).length;
    if (bytes > this.#room) {
      const used = await this.count(piece);
      if (!(used <= this.#max)) return { text: this.#keep(await this.#longest(piece)), full: true };
      this.#room = this.#max - used + bytes;
    }
    this.#room -= bytes;
    return { text: this.#keep(piece), full: false };
  }

  /** How many tokens what was taken has, with some more text. */
  async count(more = '') {
    this.#overhead ??= await this.#measure('');
    return (await this.#measure(this.#text + more)) - this.#overhead;
  }

  async #longest(piece) {
    const characters = Array.from(piece);
    let [fits, over] = [0, characters.length];
    while (over - fits > 1) {
      const middle = (fits + over) >> 1;
      if ((await this.count(characters.slice(0, middle).join(''))) <= this.#max) fits = middle;
      else over = middle;
    }
    return characters.slice(0, fits).join('');
  }

  #keep(text) {
    this.#text += text;
    return text;
  }
}

const encoder = new TextEncoder();
