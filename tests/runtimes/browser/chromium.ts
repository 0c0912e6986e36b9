// A browser under a content security policy without 'unsafe-eval', and what a page in it leaves as its result.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

/** Scripts from files of this server alone; WebAssembly may be compiled, text may not. */
export const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/** One browser for the tests of a file. @returns what reads a page's result */
export function inChromium(): (address: string) => Promise<unknown> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    });
  });
  afterAll(() => browser?.close());

  return async (address) => {
    if (browser === undefined) throw new Error('the browser did not start');
    const tab = await browser.newPage();
    onTestFinished(() => tab.close());
    const problems: string[] = [];
    tab.on('console', (message) => {
      const asked = message.location().url.endsWith('/favicon.ico'); // by the browser, and by no page
      if (['warning', 'error'].includes(message.type()) && !asked) problems.push(message.text());
    });
    tab.on('pageerror', (error) => problems.push(String(error)));

    await tab.goto(address);
    const body = tab.locator('body[data-result]');
    await body.waitFor({ state: 'attached', timeout: 30_000 }).catch(() => {});

    expect(problems).toEqual([]);
    return JSON.parse((await body.getAttribute('data-result')) ?? 'null');
  };
}

export interface SiteOptions {
  /** The media type that files of WebAssembly are served with. */
  wasmType?: string;
  /** The page at `/`, when it is no file. */
  page?: string;
}

/** Serves a folder's files on the loopback interface for as long as the test runs; its address. */
export async function site(folder: string, { wasmType = 'application/wasm', page }: SiteOptions = {}): Promise<string> {
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.wasm': wasmType,
  };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    response.setHeader('content-security-policy', policy);
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (path === '/' && page !== undefined) response.setHeader('content-type', 'text/html').end(page);
    else if (path === '/favicon.ico') response.writeHead(204).end();
    else if (!existsSync(file) || !statSync(file).isFile()) response.writeHead(404).end();
    else {
      response.setHeader('content-type', types[extname(file)] ?? 'text/plain');
      createReadStream(file).pipe(response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
