// A person's browser on the chat page: what is clicked and read there, what went wrong, and pictures of it.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { AxeResults, Result } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
}

export interface VisitorOptions {
  dark?: boolean;
  width?: number;
  /** Another tab of the same browser. */
  beside?: Visitor;
}

export class Visitor {
  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    /** What the console, the policy and uncaught errors said, and requests that left the page's own origin. */
    readonly problems: string[],
  ) {
    page.setDefaultTimeout(30_000);
  }

  static async at(
    browser: Browser,
    url: string,
    { dark = false, width = 1400, beside }: VisitorOptions = {},
  ): Promise<Visitor> {
    const context =
      beside?.context ??
      (await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      }));
    const page = await context.newPage();
    const problems: string[] = [];
    const { origin } = new URL(url);
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) problems.push(`request to ${request.url()}`);
    });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    await page.goto(url);
    return new Visitor(page, context, problems);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  async ask(): Promise<void> {
    await this.page.getByRole('button', { name: 'Ask', exact: true }).click();
  }

  /** The card of an agent, the latest if it has several. */
  card(agent: string): Locator {
    return this.page
      .locator('[data-card-id]')
      .filter({ has: this.page.getByRole('heading', { name: agent }) })
      .last();
  }

  /** Whom the cards are of, in their order. */
  async agents(): Promise<string[]> {
    return this.page.locator('[data-card-id] h3').allInnerTexts();
  }

  /** Waits for the sentence at the top that says how the children stand. */
  async stands(text: string | RegExp): Promise<void> {
    await this.page.getByRole('banner').getByRole('status').filter({ hasText: text }).waitFor();
  }

  /** What was said, when the answer has come with all that follows from it. */
  async outcome(): Promise<string[]> {
    await this.page.getByRole('heading', { name: 'The merged record' }).waitFor();
    await this.page.getByRole('table').waitFor();
    return this.page.locator('.said .words').allInnerTexts();
  }

  /** A picture of the whole page, for whoever looks at it after the tests. */
  async picture(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    const before = this.page.viewportSize();
    if (before === null) throw new Error('the window has no size');
    // What sticks to the window's edges would lie across a picture that is longer than the window.
    const height = await this.page.evaluate(() => document.documentElement.scrollHeight);
    await this.page.setViewportSize({ ...before, height: Math.max(before.height, height) });
    await this.page.screenshot({ path: `${PICTURES}${name}.png` });
    await this.page.setViewportSize(before);
  }

  /** What axe finds that keeps somebody from using the page. */
  async barriers(): Promise<string[]> {
    // Evaluated, not inserted: the page's policy allows no script but its own.
    await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate(async (): Promise<AxeResults> => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } };
      return axe.run();
    });
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(sentence);
  }

  /** Whether something is wider than the window. */
  overflows(): Promise<boolean> {
    return this.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  }

  /** Nothing went wrong that nobody was told of. */
  expectNoProblems(): void {
    expect(this.problems).toEqual([]);
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}

function sentence({ id, help, nodes }: Result): string {
  return `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`;
}
