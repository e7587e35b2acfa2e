// What comes with what the core is told or asked. The core takes it before anything else happens: each argument of an export
// would cost it far more.

let given;

/** Has numbers, a text, and bytes or another text ready. */
export function give(numbers, text, bytes) {
  given = { numbers, text, bytes };
}

export const number = (at) => given.numbers[at];
export const text = () => given.text;

/** Lets go of them, as they may be many. */
export function bytes() {
  const { bytes } = given;
  given.bytes = '';
  return bytes;
}
