// Where Chromium is, and how tests start it.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser must talk to nothing but the test's own server. */
export const CHROME_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function chromePath() {
  const inPath = (process.env.PATH ?? '').split(delimiter).flatMap((dir) => NAMES.map((name) => join(dir, name)));
  const found = [process.env.CHROME, ...inPath].find((path) => path && existsSync(path));
  if (!found) throw new Error("Chromium is missing: run 'make setup', or name it in CHROME");
  return found;
}
