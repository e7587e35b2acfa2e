// What the core is told or asked: the numbers of src/wasm/client/enter.rs. In a file of their own esbuild writes them where
// they are used.

export const OPEN = 0;
export const DROP = 1;
export const HANDLERS = 2;
export const WATCH = 3;
export const IS_CONNECTED = 4;
export const CONNECT = 5;
export const CLOSE = 6;
export const REQUEST = 7;
export const RESUME = 8;
export const FACT = 9;
export const HEAD = 10;
export const BODY = 11;
export const CHUNK = 12;
export const END = 13;
export const LOST = 14;
export const REFUSED = 15;
export const SENT = 16;
export const UNDELIVERED = 17;
export const FOLLOWS = 18;
export const MESSAGE = 19;
export const CLOSED = 20;
export const ANSWERED = 21;
export const THREW = 22;
export const SAVED = 23;
export const TICK = 24;
export const ABORT = 25;
export const CHECK_REQUEST = 26;
export const CHECK_RESULT = 27;
export const SELECT = 28;
