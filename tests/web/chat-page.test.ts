// The demo's chat page in Chromium, against its server, as a person uses it.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { computeAffected } from '../../examples/ledgerline/affected.js';
import { type Demo, startDemo } from './demo.js';
import { relayTo } from './relay.js';
import { launch, Visitor, type VisitorOptions } from './visitor.js';

const AGENTS = ['changelog_analyst', 'adapter_auditor', 'config_analyst', 'production_checker'];

let browser: Browser;
let demo: Demo;
/** One whose model writes slowly enough to be met in the middle. */
let slow: Demo;
/** One whose children are all at work for long enough to be met there, on a busy machine as well. */
let slower: Demo;
beforeAll(async () => {
  const demos = [startDemo(), startDemo({ delayMs: 15 }), startDemo({ delayMs: 40 })] as const;
  [browser, demo, slow, slower] = await Promise.all([launch(), ...demos]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), demo?.stop(), slow?.stop(), slower?.stop()]);
});

async function visit(url: string, options?: VisitorOptions): Promise<Visitor> {
  const visitor = await Visitor.at(browser, url, options);
  onTestFinished(() => visitor.leave());
  return visitor;
}

describe('a run', () => {
  test('shows four subagents at work, a repair and an approval, and then what they come to', async () => {
    const visitor = await visit(demo.url);
    await visitor.picture('begin');
    expect(await visitor.barriers()).toEqual([]);
    await visitor.ask();

    await visitor.stands('1 waiting for you');
    expect(await visitor.agents()).toEqual(AGENTS);
    await visitor.card('adapter_auditor').getByText('Attempt 1 of 3 refused').click();
    const auditor = await visitor.card('adapter_auditor').innerText();
    expect(auditor).toContain('property "severity" is not allowed here');
    expect(auditor).toContain('missing required property "would_settle_it"');
    await visitor.picture('suspended');
    expect(await visitor.barriers()).toEqual([]);

    await visitor
      .card('production_checker')
      .getByRole('button', { name: /approve/i })
      .click();
    const answer = (await visitor.outcome()).at(-1);
    const { direct, indirect } = computeAffected('2023-08');
    for (const id of [...direct, ...indirect]) expect(answer).toContain(id);
    await visitor.stands('4 of 4 subagents finished');
    expect(await visitor.agents()).toEqual(AGENTS);

    const rows = await visitor.page.getByRole('table').getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.split('\t')[0])).toEqual(['Handed over', 'Transcripts', 'Summaries', 'Records']);
    const cells = rows.slice(1).map((row) => row.split('\t'));
    const [transcripts = 0, summaries = 0, records = 0] = cells.map(([, window]) => Number(window?.replace(',', '')));
    expect(records).toBeLessThan(transcripts);
    expect(summaries).toBeLessThan(transcripts);
    expect(cells[2]?.at(-1)).toMatch(/^(\d+) of \1$/);
    await visitor.picture('finished');
    expect(await visitor.barriers()).toEqual([]);
    visitor.expectNoProblems();
  });

  test.each([
    ['dark', { dark: true }],
    ['narrow', { width: 320 }],
    ['narrow-dark', { width: 320, dark: true }],
  ])('can be read and used when the window is %s', async (name, options) => {
    const visitor = await visit(demo.url, options);
    await visitor.ask();
    await visitor.stands('1 waiting for you');
    await visitor.picture(`suspended-${name}`);
    expect(await visitor.overflows()).toBe(false);
    expect(await visitor.barriers()).toEqual([]);

    // From the keyboard alone.
    await visitor.button('Show it').focus();
    await visitor.page.keyboard.press('Enter');
    const approve = visitor.card('production_checker').getByRole('button', { name: /approve/i });
    for (
      let presses = 0;
      presses < 40 && !(await approve.evaluate((one) => one === document.activeElement));
      presses += 1
    ) {
      await visitor.page.keyboard.press('Tab');
    }
    await visitor.page.keyboard.press('Enter');
    await visitor.outcome();
    await visitor.picture(`finished-${name}`);
    expect(await visitor.overflows()).toBe(false);
    expect(await visitor.barriers()).toEqual([]);
    visitor.expectNoProblems();
  });

  test('goes on when the approval is denied, and says what that leaves open', async () => {
    const visitor = await visit(demo.url);
    await visitor.ask();
    await visitor.card('production_checker').getByRole('button', { name: /deny/i }).click();
    expect((await visitor.outcome()).at(-1)).toContain('production was not read, because the approval was declined');
    const open = visitor.page.getByRole('region', { name: 'The merged record' });
    expect(await open.innerText()).toContain(
      'Does production agree with the table for mer_1015, mer_1042 and mer_1046?',
    );
    await visitor.picture('denied');
    visitor.expectNoProblems();
  });

  test('asks production what the person has edited, and says what that leaves open', async () => {
    const visitor = await visit(demo.url);
    await visitor.ask();
    const card = visitor.card('production_checker');
    await card.getByRole('button', { name: 'Edit' }).click();
    const edited = card.getByRole('textbox', { name: 'Arguments' });
    await edited.fill('{"merchant_ids": "mer_1015"');
    await card.getByRole('button', { name: 'Approve with changes' }).click();
    expect(await card.getByText('This is no JSON.').count()).toBe(1);
    await edited.fill('{"merchant_ids": ["mer_1015"], "reason": "One is enough for the board."}');
    await visitor.picture('editing');
    expect(await visitor.barriers()).toEqual([]);
    await card.getByRole('button', { name: 'Approve with changes' }).click();
    expect((await visitor.outcome()).at(-1)).toContain(
      'production was read in part, because the approval was narrowed',
    );
    expect(await card.innerText()).toContain('Of production the approval left mer_1015 to be read');
    visitor.expectNoProblems();
  });

  test('goes on without a subagent that a person stops', async () => {
    const visitor = await visit(slow.url);
    await visitor.ask();
    await visitor.button('Stop config_analyst').click();
    const card = visitor.card('config_analyst');
    await card.getByRole('status').filter({ hasText: 'Cancelled' }).waitFor();
    await visitor
      .card('production_checker')
      .getByRole('button', { name: /approve/i })
      .click();
    expect((await visitor.outcome()).at(-1)).toContain('You stopped a subagent before it had returned');
    await visitor.stands('3 of 4 subagents finished, 1 cancelled');
    await visitor.picture('one-stopped');
    expect(await visitor.barriers()).toEqual([]);
    visitor.expectNoProblems();
  });

  test('shows what a tool call was in the transcript, and asks an open question on', async () => {
    const visitor = await visit(demo.url);
    await visitor.ask();
    const card = visitor.card('production_checker');
    await card.getByRole('button', { name: /approve/i }).click();
    await visitor.outcome();
    await card.getByText('query_production_config').click();
    await card.getByRole('button', { name: 'Transcript' }).click();
    await card.getByText('Result in the transcript').waitFor();
    expect(await card.innerText()).toMatch(/Result in the transcript\s+\{"source":/);

    const question = 'Is the manual override of mer_1046 meant to stay?';
    await card.locator('li').filter({ hasText: question }).getByRole('button', { name: 'Follow up' }).click();
    await visitor.page.getByText('A model that is not scripted would now send a subagent with this question').waitFor();
    const said = await visitor.page.locator('.said .words').allInnerTexts();
    expect(said.at(-2)).toContain(
      `Follow up: ${question}\nWhat would settle it: Whoever set it, or merchant operations.`,
    );
    expect(await visitor.agents()).toEqual(AGENTS);
    await visitor.picture('follow-up');
    expect(await visitor.barriers()).toEqual([]);
    visitor.expectNoProblems();
  });

  test.each([
    ['while all are at work', /^4 subagents at work$/, () => slower],
    ['while one waits already', /^[123] subagents? at work, 1 waiting for you$/, () => slow],
  ])('ends when it is stopped %s, at the server as well, and can be asked for again', async (_, standing, server) => {
    const { url } = server();
    const visitor = await visit(url);
    await visitor.ask();
    await visitor.stands(standing);
    await visitor.button('Stop all').click();
    await visitor.button('Ask again').waitFor();
    await visitor.stands(/[1-4] cancelled$/);
    await visitor.picture('stopped');
    const threadId = new URL(visitor.page.url()).searchParams.get('thread') ?? '';
    const opened = await fetch(`${url}api/chat?${new URLSearchParams({ threadId })}`).then((answer) => answer.json());
    expect(opened.activeRun).toBeNull();

    await visitor.button('Ask again').click();
    await visitor
      .card('production_checker')
      .getByRole('button', { name: /approve/i })
      .click();
    await visitor.outcome();
    await visitor.stands('4 of 4 subagents finished');
    expect(await visitor.agents()).toEqual(AGENTS);
    visitor.expectNoProblems();
  });
});

describe('a page that was left', () => {
  test('goes on where it was when it is reloaded in the middle of a run', async () => {
    const visitor = await visit(slow.url);
    await visitor.ask();
    await visitor.stands(/at work/);
    await visitor.page.waitForTimeout(1500);
    await visitor.page.reload();
    await visitor.stands(/at work/);
    await visitor.picture('reloaded');
    await visitor.stands('1 waiting for you');
    expect(await visitor.agents()).toEqual(AGENTS);
    expect(await visitor.page.getByText('Four things that can be looked up side by side').count()).toBe(1);
    visitor.expectNoProblems();
  });

  test('asks for the approval again when it is reloaded while suspended, and again shows all when it is reloaded at the end', async () => {
    const visitor = await visit(demo.url);
    await visitor.ask();
    await visitor.stands('1 waiting for you');
    await visitor.page.reload();
    await visitor.stands('1 waiting for you');
    expect(await visitor.agents()).toEqual(AGENTS);
    await visitor.picture('suspended-reloaded');
    await visitor
      .card('production_checker')
      .getByRole('button', { name: /approve/i })
      .click();
    const said = await visitor.outcome();

    await visitor.page.reload();
    expect(await visitor.outcome()).toEqual(said);
    await visitor.stands('4 of 4 subagents finished');
    expect(await visitor.agents()).toEqual(AGENTS);
    await visitor.picture('finished-reloaded');
    visitor.expectNoProblems();
  });

  test('goes on with a run that was resumed meanwhile', async () => {
    const visitor = await visit(slow.url);
    await visitor.ask();
    await visitor
      .card('production_checker')
      .getByRole('button', { name: /approve/i })
      .click();
    await visitor.stands(/at work/);
    await visitor.page.reload();
    await visitor.outcome();
    await visitor.stands('4 of 4 subagents finished');
    expect(await visitor.page.getByText('Four things that can be looked up side by side').count()).toBe(1);
    visitor.expectNoProblems();
  });
});

describe('two tabs', () => {
  test('follow each other, whichever asks and whichever answers', async () => {
    const first = await visit(slow.url);
    // Its address has the conversation once the page is there.
    await first.button('Ask').waitFor();
    const second = await visit(first.page.url(), { beside: first });
    await second.button('Ask').waitFor();
    await first.ask();
    await second.stands(/at work/);
    await Promise.all([first.stands('1 waiting for you'), second.stands('1 waiting for you')]);
    await second
      .card('production_checker')
      .getByRole('button', { name: /approve/i })
      .click();
    const said = await Promise.all([first.outcome(), second.outcome()]);
    expect(said[0]).toEqual(said[1]);
    first.expectNoProblems();
    second.expectNoProblems();
  });

  test('that both approve run the approved tool once', async () => {
    const first = await visit(demo.url);
    await first.ask();
    await first.stands('1 waiting for you');
    const second = await visit(first.page.url(), { beside: first });
    const both = [first, second].map((visitor) =>
      visitor.card('production_checker').getByRole('button', { name: /approve/i }),
    );
    for (const button of both) await button.waitFor();
    // In one moment: a tab in the background is not painted, and a person's click would wait for that.
    await Promise.all(both.map((button) => button.evaluate((one) => (one as HTMLElement).click())));
    const said = await Promise.all([first.outcome(), second.outcome()]);
    expect(said[0]).toEqual(said[1]);
    expect(await first.card('production_checker').getByText('query_production_config').count()).toBe(1);
  });
});

describe('a connection', () => {
  test('that drops for a moment costs nothing', async () => {
    const relay = await relayTo(slow.url);
    onTestFinished(() => relay.stop());
    const visitor = await visit(relay.url);
    await visitor.ask();
    await visitor.stands(/at work/);
    relay.drop();
    const alert = visitor.page.getByRole('alert').filter({ hasText: 'Trying to reach the server again' });
    await alert.waitFor();
    await alert.waitFor({ state: 'detached' });
    await visitor.stands(/^1 waiting for you$/);
    expect(await visitor.page.getByRole('alert').count()).toBe(0);
    expect(await visitor.agents()).toEqual(AGENTS);
    expect(await visitor.page.getByText('Four things that can be looked up side by side').count()).toBe(1);
  });

  test('that is lost is said to be, and the run is there when it is back', async () => {
    const relay = await relayTo(slow.url);
    onTestFinished(() => relay.stop());
    const visitor = await visit(relay.url);
    await visitor.ask();
    await visitor.stands(/at work/);
    relay.open = false;
    relay.drop();
    await visitor.page.getByRole('alert').filter({ hasText: 'What runs there goes on without this page' }).waitFor();
    await visitor.picture('lost');
    expect(await visitor.barriers()).toEqual([]);
    relay.open = true;
    await visitor.button('Connect again').click();
    await visitor.stands('1 waiting for you');
    expect(await visitor.page.getByRole('alert').count()).toBe(0);
    await visitor
      .card('production_checker')
      .getByRole('button', { name: /approve/i })
      .click();
    await visitor.outcome();
  });
});
