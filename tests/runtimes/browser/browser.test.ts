// The packed package in Chromium, under a content security policy without 'unsafe-eval'.
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { expectAnswers, expected } from '../expected.js';

const page = (script: string) => `<!doctype html><body><script type="module" src="/browser/${script}"></script>`;
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
});
afterAll(() => browser?.close());

test.each([
  ['page.mjs', 'application/wasm'],
  ['page.mjs', 'application/octet-stream'],
  ['reference-page.mjs', 'application/wasm'],
])('%s with wasm served as %s', async (script, wasmType) => {
  expect(await resultOf(script, wasmType)).toEqual(expected);
});

test('no schema or instance exhausts the stack', async () => {
  expectAnswers((await resultOf('deep-page.mjs', 'application/wasm')) as Record<string, string>);
});

/** What a page leaves as its result. */
async function resultOf(script: string, wasmType: string): Promise<unknown> {
  const server = await serve(inject('project'), wasmType, script);
  onTestFinished(() => void server.close());
  const tab = await browser.newPage();
  onTestFinished(() => tab.close());
  const problems: string[] = [];
  tab.on('console', (message) => problems.push(message.text()));
  tab.on('pageerror', (error) => problems.push(String(error)));

  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const body = tab.locator('body[data-result]');
  await body.waitFor({ state: 'attached', timeout: 30_000 }).catch(() => {});

  expect(problems).toEqual([]);
  return JSON.parse((await body.getAttribute('data-result')) ?? '');
}

/** Serves the project's files on the loopback interface. */
async function serve(project: string, wasmType: string, script: string): Promise<Server> {
  const types: Record<string, string> = {
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.wasm': wasmType,
  };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    response.setHeader('content-security-policy', policy);
    const file = join(project, path);
    if (path === '/') response.setHeader('content-type', 'text/html').end(page(script));
    else if (path === '/favicon.ico') response.writeHead(204).end();
    else if (!existsSync(file)) response.writeHead(404).end();
    else {
      response.setHeader('content-type', types[extname(file)] ?? 'text/plain');
      createReadStream(file).pipe(response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
