/** Opens the console in Chromium and speaks of it as its user would. */
import { chromium } from 'playwright-core';
import { CHROME_FLAGS, chromePath } from '../../scripts/lib/chrome.mjs';
import { serve } from '../support/http.mjs';
import { createSite, isPackageBuilt } from '../support/site.mjs';

const PATIENCE_MS = 15_000;

/**
 * Serves the console and starts a browser.
 * @returns {Promise<{ url: string, open(options?: object): Promise<ConsolePage>, close(): Promise<void> }>}
 */
export async function startConsole() {
  if (!(await isPackageBuilt())) throw new Error("there is no package yet: run 'make pkg'");
  const site = createSite();
  const http = await serve(site);
  const browser = await chromium.launch({ executablePath: chromePath(), headless: true, args: CHROME_FLAGS });
  return {
    url: http.url,
    open: (options) => ConsolePage.open(browser, http.url, options),
    async close() {
      await browser.close();
      await site.close();
      await http.close();
    },
  };
}

/** In the page: the browser itself does not write every breach of the content security policy to the console. */
function reportBreaches() {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    console.error(`the policy ${violatedDirective} forbids ${blockedURI}`);
  });
}

class ConsolePage {
  /** What the page reported: uncaught errors, failed loads, breaches of its content security policy. */
  problems = [];

  static async open(browser, url, options) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const opened = new ConsolePage(page);
    page.on('pageerror', (error) => opened.problems.push(error.stack ?? String(error)));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && opened.problems.push(message.text()));
    await page.addInitScript(reportBreaches);
    await page.goto(url);
    await opened.ready();
    return opened;
  }

  constructor(page) {
    this.page = page;
    this.reviews = page.locator('.review');
  }

  close() {
    return this.page.context().close();
  }

  ready() {
    return this.page.locator('#run:enabled').waitFor();
  }

  async autoApprove(on = true) {
    await this.page.getByRole('switch', { name: /Approve sampling requests/ }).setChecked(on);
  }

  async choose(tool) {
    await this.page.getByLabel('Tool', { exact: true }).selectOption(tool);
  }

  run() {
    return this.press('Run the call');
  }

  press(name) {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  /** What the result shows, when it is there. */
  async result() {
    const body = this.page.locator('#result-body');
    await body.waitFor();
    return { text: (await body.locator('.text').allTextContents()).join('\n'), all: await body.innerText() };
  }

  /** The kinds of the steps in the timeline, in order. */
  steps() {
    return this.page.locator('#rounds .step').evaluateAll((steps) => steps.map((step) => step.dataset.type));
  }

  /** The exchanges of the wire log: the method, and all the text of both bodies. */
  wire() {
    return this.page.locator('#wire > li').evaluateAll((entries) =>
      entries.map((entry) => ({ method: entry.querySelector('b').textContent, text: entry.textContent })),
    );
  }

  /** The text of the element with the focus. */
  focused() {
    return this.page.evaluate(() => document.activeElement.textContent);
  }
}
