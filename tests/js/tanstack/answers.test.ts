// The answers to several interrupts at once, as a client should not send them: nobody goes on, and everybody still can.
import { memoryResumeStore, type Seal } from 'subcontract';
import { chatWithSubagents } from 'subcontract/tanstack';
import { afterEach, describe, expect, it } from 'vitest';
import { GOOD, scout } from './agents.js';
import { errorOf, fetching, fetchTool, interruptsOf, messagesOf } from './conversation.js';
import { ADAPTERS, hasResult, ScriptedModels } from './scripted-model.js';
import { collect, ofType } from './strict-client.js';

const KEYS = [{ id: 'k1', secret: new Uint8Array(32).fill(5) }];
const DONE = { status: 'completed', final_result: JSON.parse(GOOD) };

type Answer = Record<string, unknown>;
const yes = (interruptId: string): Answer => ({ interruptId, status: 'resolved', payload: { approved: true } });
const no = (interruptId: string): Answer => ({ interruptId, status: 'resolved', payload: { approved: false } });

let models: ScriptedModels;
afterEach(() => models.stop());

describe.each<[string, () => Seal]>([
  ['sealed', () => ({ keys: KEYS })],
  ['sealed, with a store', () => ({ keys: KEYS, store: memoryResumeStore() })],
  ['unsealed', () => 'none'],
])('two children that wait, %s', (_name, seal) => {
  const start = async () => {
    models = await ScriptedModels.start(ADAPTERS[1][1], {
      parent: (request) =>
        hasResult(request)
          ? { text: 'done' }
          : {
              calls: ['A', 'B'].map((vendor) => ({
                id: `call-${vendor}`,
                name: 'scout',
                arguments: `{"task":"${vendor}"}`,
              })),
            },
      child: fetching,
    });
    const page = fetchTool();
    const agent = scout(models, { tools: [page.tool] });
    const given = seal();
    // As a handler that does not check what it was sent.
    const run = (sent: object) =>
      collect(
        chatWithSubagents({
          adapter: models.adapter('parent'),
          threadId: 'thread',
          messages: [{ role: 'user', content: 'prices?' }],
          ...sent,
          subagents: { agents: [agent], seal: given },
        }),
      );
    const waiting = await run({ runId: 'run-1' });
    const [a = '', b = ''] = interruptsOf(waiting).map(({ id }) => id);
    const answer = (resume: Answer[], runId: string) =>
      run({ runId, parentRunId: 'run-1', messages: messagesOf(waiting), resume });
    return { page, a, b, answer };
  };

  it.each<[string, (a: string, b: string) => Answer[], string]>([
    ['one of them', (a) => [yes(a)], 'resume_unanswered'],
    ['one of them, and somebody else', (a) => [yes(a), yes('approval_call-9')], 'resume_unanswered'],
    ['one of them twice', (a) => [yes(a), yes(a)], 'resume_unanswered'],
    ['one of them in two ways', (a, b) => [yes(a), no(a), yes(b)], 'resume_answered_twice'],
    [
      'one of them both resolved and cancelled',
      (a, b) => [yes(a), { interruptId: a, status: 'cancelled' }, yes(b)],
      'resume_answered_twice',
    ],
    ['somebody else as well', (a, b) => [yes(a), yes(b), yes('approval_call-9')], 'unknown-interrupt'],
    ['without a status', (a, b) => [yes(a), { interruptId: b }], 'resume_answer_malformed'],
    ['with a status that is none', (a, b) => [yes(a), { ...yes(b), status: 'maybe' }], 'resume_answer_malformed'],
    [
      'with a payload that its schema forbids',
      (a, b) => [yes(a), { ...yes(b), payload: 'yes' }],
      'resume_payload_rejected',
    ],
    ['with metadata that is a number', (a, b) => [yes(a), { ...yes(b), metadata: 5 }], 'resume_answer_malformed'],
    ['with metadata that is null', (a, b) => [yes(a), { ...yes(b), metadata: null }], 'resume_answer_malformed'],
    ['with metadata that is a list', (a, b) => [{ ...yes(a), metadata: [] }, yes(b)], 'resume_answer_malformed'],
    [
      'with a token of nobody',
      (a, b) => [{ ...yes(a), metadata: { subcontract: { resume: 'x' } } }, yes(b)],
      'resume_unreadable',
    ],
  ])('answered %s: neither goes on, and both still can', async (_what, resume, code) => {
    const { page, a, b, answer } = await start();
    const asked = models.requests.child.length;
    const refused = await answer(resume(a, b), 'run-2');
    expect(errorOf(refused)).toBe(code);
    expect(ofType(refused, 'SUBAGENT_STARTED')).toEqual([]);
    expect(page.ran).toEqual([]);
    expect(models.requests.child).toHaveLength(asked);
    const done = await answer([yes(a), yes(b)], 'run-3');
    expect(ofType(done, 'SUBAGENT_FINISHED').map(({ result }) => result)).toMatchObject([DONE, DONE]);
    expect(page.ran).toHaveLength(2);
  });

  it('answered twice alike, in any order, is answered', async () => {
    const { page, a, b, answer } = await start();
    const done = await answer([yes(b), yes(a), yes(b), yes(a)], 'run-2');
    expect(ofType(done, 'SUBAGENT_FINISHED').map(({ result }) => result)).toMatchObject([DONE, DONE]);
    expect(page.ran).toHaveLength(2);
  });
});
