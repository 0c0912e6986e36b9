// A card in Chromium under a large return in many deltas: tasks that block the page, renders a frame, time.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { buildCardsBench } from '../scripts/setup/page.mjs';
import { percentile } from './timing.mjs';

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

const STREAM = { bytes: 1e5, deltas: 8000 };
const WHAT = 'card: 100 KB in 8,000 deltas';

/** @param {import('./report.mjs').Report} report @param {{ quick: boolean, browser: string }} options */
export async function cards(report, { quick, browser: executablePath }) {
  const folder = await buildCardsBench();
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    response.setHeader('content-security-policy', POLICY);
    try {
      const bytes = readFileSync(join(folder, new URL(path, 'http://localhost').pathname));
      response.setHeader('content-type', TYPES[/** @type {keyof TYPES} */ (extname(path))] ?? 'text/plain').end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
    /** @typedef {import('./cards/main.mjs').Streamed & { longestCpuMs: number }} Run @type {Run[]} */
    const runs = [];
    for (let round = 0; round < (quick ? 2 : 5); round++) {
      await page.evaluate((of) => /** @type {any} */ (globalThis).prepare(of), STREAM);
      await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
      const run = await page.evaluate(() => /** @type {any} */ (globalThis).stream());
      runs.push({ ...run, longestCpuMs: longestTask(await browser.stopTracing()) });
    }
    // What else the machine does lengthens tasks as well: the quietest of the rounds says what is ours.
    const least = (/** @type {(run: Run) => number} */ of) => percentile(runs.map(of), 0);
    report.add(
      `${WHAT}, tasks over 50 ms`,
      least(({ longTasks }) => longTasks.length),
      null,
      { unit: 'count', as: 'share' },
    );
    report.add(
      `${WHAT}, longest of them`,
      least(({ longTasks }) => Math.max(0, ...longTasks)),
      null,
      { unit: 'ms', as: 'share' },
    );
    // By the clock a task is as long as others make it wait; this is what the page's thread itself worked.
    report.add(
      `${WHAT}, longest task in processor time`,
      least(({ longestCpuMs }) => longestCpuMs),
      null,
      {
        unit: 'ms',
        as: 'share',
      },
    );
    report.add(
      `${WHAT}, renders a frame`,
      least(({ commits, frames }) => commits / frames),
      null,
      { unit: 'count', as: 'share' },
    );
    report.add(
      `${WHAT}, in all`,
      least(({ totalMs }) => totalMs),
      null,
      { unit: 'ms', as: 'share' },
    );
    report.add(
      `${WHAT}, in the store`,
      least(({ pushMs }) => pushMs),
      null,
      { unit: 'ms', as: 'share' },
    );
  } finally {
    await browser.close();
    server.close();
  }
}

/** The longest task of the page's main thread, in milliseconds of processor time. @param {Buffer} trace */
function longestTask(trace) {
  /** @typedef {{ name: string, ph: string, pid: number, tid: number, dur?: number, tdur?: number, args: { name?: string } }} TraceEvent */
  const { traceEvents } = /** @type {{ traceEvents: TraceEvent[] }} */ (JSON.parse(trace.toString()));
  const threadOf = (/** @type {TraceEvent} */ { pid, tid }) => `${pid}:${tid}`;
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name === 'RunTask' && main.has(threadOf(event)),
  );
  // A virtual machine's processor clock may jump in a task: one that took 2 ms by the clock has not worked for 50.
  const times = tasks.flatMap(({ tdur, dur = tdur }) =>
    tdur === undefined || dur === undefined ? [] : [Math.min(tdur, dur) / 1e3],
  );
  if (times.length === 0) throw new Error('the trace has no task of the page’s main thread');
  return Math.max(...times);
}
