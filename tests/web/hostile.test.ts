// Whatever a child writes is text in the page: it runs nothing, loads nothing, and hides nothing.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startScriptedModel } from '../../examples/ledgerline/script/server.js';
import { type Demo, startDemo } from './demo.js';
import { IMAGE, LINK, SCRIPT, SOURCE, TRACKER, UNSEEN } from './hostile-texts.js';
import { launch, Visitor } from './visitor.js';

let browser: Browser;
let demo: Demo;
beforeAll(async () => {
  [browser, demo] = await Promise.all([launch(), startDemo({ program: 'tests/web/hostile-demo.ts' })]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), demo?.stop()]);
});

test('a hostile return is shown as text, as it streams, when it is refused, and in the merged record', async () => {
  const visitor = await Visitor.at(browser, demo.url);
  onTestFinished(() => visitor.leave());
  const { page } = visitor;
  await visitor.ask();
  await visitor.outcome();
  for (const summary of await page.locator('main summary').all()) await summary.click();
  await visitor.picture('hostile');

  const main = page.getByRole('main');
  const shown = await main.innerText();
  for (const text of [SCRIPT, IMAGE, TRACKER, LINK, SOURCE]) expect(shown).toContain(text);
  expect(shown).toContain('gpj.exe');
  expect(shown).not.toMatch(UNSEEN);
  expect(await main.locator('script, img, iframe, style, object, embed, base, form[action]').count()).toBe(0);
  const links = await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(links.filter((link) => link !== '/')).toEqual([]);
  expect(await page.evaluate(() => document.body.dataset.ran)).toBeUndefined();
  expect(await visitor.barriers()).toEqual([]);
  visitor.expectNoProblems();

  await page.reload();
  await visitor.outcome();
  expect(await main.innerText()).not.toMatch(UNSEEN);
  expect(await page.evaluate(() => document.body.dataset.ran)).toBeUndefined();
  visitor.expectNoProblems();
});

test('the key of a provider stays with the server, and a message of one’s own is answered', async () => {
  const key = 'sk-a-key-that-nobody-sees';
  const model = await startScriptedModel(1);
  onTestFinished(() => model.stop());
  const live = await startDemo({ env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: model.baseURL, OPENAI_MODEL: 'any' } });
  onTestFinished(() => live.stop());
  const visitor = await Visitor.at(browser, live.url);
  onTestFinished(() => visitor.leave());
  const { page } = visitor;
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => bodies.push(response.text().catch(() => '')));

  await page.getByRole('textbox', { name: 'Your message' }).waitFor();
  await visitor.button('Send').click();
  await visitor
    .card('production_checker')
    .getByRole('button', { name: /approve/i })
    .click();
  await visitor.outcome();
  const read = (await Promise.all(bodies)).join('\n');
  expect(read).toContain('SUBAGENT_FINISHED');
  expect(read).not.toContain(key);
  visitor.expectNoProblems();
});

test('the server answers to its own page alone', async () => {
  const chat = `${demo.url}api/chat`;
  const { status: byForm } = await fetch(chat, { method: 'POST', body: '{}' });
  const { status: broken } = await fetch(chat, {
    method: 'POST',
    body: '{"messages"',
    headers: { 'content-type': 'application/json' },
  });
  const page = await fetch(demo.url);
  expect([byForm, broken, page.status]).toEqual([415, 400, 200]);
  expect(page.headers.get('content-security-policy')).toBe("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
  expect(await page.text()).not.toMatch(/<style|style=|<script(?![^>]* src=)|https?:/);
});
