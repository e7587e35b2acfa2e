// What the core is told or asked: the numbers of src/wasm/client/enter.rs. In a file of their own esbuild writes them where
// they are used.

export const OPEN = 0;
export const DROP = 1;
export const HANDLERS = 2;
export const IS_CONNECTED = 3;
export const CONNECT = 4;
export const CLOSE = 5;
export const REQUEST = 6;
export const RESUME = 7;
export const FACT = 8;
export const HEAD = 9;
export const BODY = 10;
export const CHUNK = 11;
export const END = 12;
export const LOST = 13;
export const REFUSED = 14;
export const SENT = 15;
export const UNDELIVERED = 16;
export const FOLLOWS = 17;
export const MESSAGE = 18;
export const CLOSED = 19;
export const ANSWERED = 20;
export const THREW = 21;
export const SAVED = 22;
export const TICK = 23;
export const ABORT = 24;
export const CHECK_REQUEST = 25;
export const CHECK_RESULT = 26;
export const SELECT = 27;
