// Chromium without a window, with a fresh profile.

import { chromium } from 'playwright-core';
import { CHROME_FLAGS, chromePath } from '../../../scripts/lib/chrome.mjs';

/**
 * Opens `url`, calls `use(page)` and closes everything, whatever happens. `page.problems` collects uncaught errors, and
 * what the page writes with console.error.
 */
export async function withPage(url, use) {
  const browser = await chromium.launch({ executablePath: chromePath(), headless: true, args: CHROME_FLAGS });
  try {
    const page = await browser.newPage();
    page.problems = [];
    page.on('pageerror', (error) => page.problems.push(error.stack ?? String(error)));
    page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
    await page.goto(url);
    return await use(page);
  } finally {
    await browser.close();
  }
}
