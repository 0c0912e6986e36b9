// Cards out of the messages that a page kept: after a reload, before any event.
import { compileContract, strictResearchResult } from 'subcontract';
import { type Card, createCardStore, type FromMessagesOptions } from 'subcontract/cards';
import { describe, expect, it } from 'vitest';
import { suspendedContent } from '../../../js/tanstack/replay.js';
import { AGENTS, BRIEF, Child, RECORD } from './child-events.js';

const child = new Child();
const { digest } = compileContract(strictResearchResult);
const ARGS = JSON.stringify(BRIEF);

function rebuilt(messages: readonly unknown[], options?: FromMessagesOptions): readonly Card[] {
  const store = createCardStore({ agents: AGENTS });
  // As they come out of a store.
  store.fromMessages(JSON.parse(JSON.stringify(messages)), options);
  return store.snapshot().cards;
}

/** The same call and result in the three shapes that messages have. */
const SHAPES = {
  'UIMessage of TanStack AI': (result?: string) => [
    {
      id: 'm',
      role: 'assistant',
      parts: [
        { type: 'text', content: 'Delegating.' },
        { type: 'tool-call', id: 'call-1', name: 'researcher', arguments: ARGS, state: 'complete' },
        ...(result === undefined
          ? []
          : [{ type: 'tool-result', toolCallId: 'call-1', content: result, state: 'complete' }]),
      ],
    },
  ],
  'UIMessage with the output in its call': (result?: string) => [
    {
      id: 'm',
      role: 'assistant',
      parts: [
        {
          ...{ type: 'tool-call', id: 'call-1', name: 'researcher', arguments: ARGS, state: 'complete' },
          ...(result !== undefined && { output: JSON.parse(result) }),
        },
      ],
    },
  ],
  'message of AG-UI': (result?: string) => [
    { id: 'u', role: 'user', content: 'Go.' },
    {
      id: 'm',
      role: 'assistant',
      content: 'Delegating.',
      toolCalls: [{ id: 'call-1', type: 'function', function: { name: 'researcher', arguments: ARGS } }],
    },
    ...(result === undefined ? [] : [{ id: 't', role: 'tool', toolCallId: 'call-1', content: result }]),
  ],
};

describe.each(Object.entries(SHAPES))('from a %s', (_name, messages) => {
  it('a finished child has its brief and its result, which the page checks again', () => {
    const envelope = { run_id: 'c1', subagent: 'researcher', task_summary: 'Done.', final_result: RECORD };
    expect(rebuilt(messages(JSON.stringify(envelope)))).toEqual([
      {
        id: 'c1',
        agent: 'researcher',
        parentToolCallId: 'call-1',
        children: [],
        status: 'finished',
        connected: true,
        workedMs: 0,
        brief: { text: ARGS, value: BRIEF },
        attempts: [],
        attempt: 1,
        maxAttempts: 3,
        toolCalls: [],
        omittedToolCalls: 0,
        return: expect.objectContaining({ value: RECORD, source: 'envelope', status: 'complete' }),
        summary: 'Done.',
        check: { verdict: 'valid', streamed: 'unseen' },
        degraded: [],
        amendments: [],
        flags: [],
        usage: [],
        interrupts: [],
        transcriptRef: 'c1',
      },
    ]);
  });

  it('a failed child says why', () => {
    const error = 'contract_exhausted: no return satisfied the contract';
    const envelope = {
      run_id: 'c1',
      subagent: 'researcher',
      task_summary: null,
      final_result: null,
      status: 'failed',
      error,
    };
    expect(rebuilt(messages(JSON.stringify(envelope)))).toMatchObject([
      { status: 'failed', error: { code: 'contract_exhausted', message: 'no return satisfied the contract' } },
    ]);
  });

  it('a suspended child waits, and can be answered', () => {
    const envelope = child.envelope({
      status: 'suspended',
      contract: { source: 'output_schema', digest },
      resume: { interrupts: [child.approval()] },
      attempts: [{ attempt: 1, outcome: 'rejected', code: 'truncated', issues: [{ message: 'cut' }] }],
    });
    expect(rebuilt(messages(suspendedContent(JSON.stringify(envelope))))).toMatchObject([
      {
        id: 'c1',
        status: 'suspended',
        interrupts: [{ interrupt: child.approval() }],
        attempts: [{ attempt: 1, code: 'truncated', issues: [{ message: 'cut', instancePath: '' }] }],
        attempt: 2,
        durationMs: 4200,
      },
    ]);
  });

  it('a child that was under way has lost its connection', () => {
    expect(rebuilt(messages())).toMatchObject([
      { id: 'call:call-1', agent: 'researcher', status: 'running', connected: false, brief: { value: BRIEF } },
    ]);
    expect(rebuilt(messages(JSON.stringify({ pendingExecution: true })))).toMatchObject([
      { id: 'call:call-1', status: 'running' },
    ]);
  });
});

describe('and then events', () => {
  it('the child that goes on takes the place of the card that stood for its call', () => {
    const store = createCardStore({ agents: AGENTS });
    store.fromMessages(SHAPES['message of AG-UI']());
    for (const event of [child.run(), child.started()]) store.push(event);
    expect(store.snapshot().cards).toMatchObject([
      { id: 'c1', status: 'running', connected: true, brief: { value: BRIEF } },
    ]);
  });

  it('a suspended child goes on with all that its messages said', () => {
    const store = createCardStore({ agents: AGENTS });
    const envelope = child.envelope({ status: 'suspended', resume: { interrupts: [child.approval()] } });
    store.fromMessages(SHAPES['message of AG-UI'](suspendedContent(JSON.stringify(envelope))));
    for (const event of [child.run('run-2'), child.started(), ...child.returns(JSON.stringify(RECORD))])
      store.push(event);
    expect(store.snapshot().cards).toMatchObject([
      { status: 'running', interrupts: [], brief: { value: BRIEF }, return: { value: RECORD } },
    ]);
  });

  it('messages that come later leave what events have built', () => {
    const store = createCardStore({ agents: AGENTS });
    for (const event of [child.run(), ...child.called(), child.started(), ...child.call('search', '{}')])
      store.push(event);
    const before = store.snapshot().cards[0];
    store.fromMessages(SHAPES['message of AG-UI']());
    expect(store.snapshot().cards).toEqual([before]);
  });
});

it('interrupts may be kept beside the messages', () => {
  const [card] = rebuilt([], { interrupts: [child.approval()] });
  expect(card).toMatchObject({ id: 'c1', status: 'suspended', interrupts: [{ interrupt: child.approval() }] });
});

it('children’s own messages, where a client keeps them, give their tool calls and words', () => {
  const call = (id: string, name: string, args: string) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  });
  const inner = { run_id: 'c2', subagent: 'researcher', task_summary: null, final_result: RECORD };
  const cards = rebuilt([
    ...SHAPES['message of AG-UI'](JSON.stringify({ ...inner, run_id: 'c1' })),
    {
      id: 'x',
      role: 'assistant',
      subagentRunId: 'c1',
      content: 'Looking.',
      toolCalls: [call('c1:s', 'search', '{"q":1}')],
    },
    { id: 'y', role: 'tool', subagentRunId: 'c1', toolCallId: 'c1:s', content: '3 hits' },
    {
      id: 'z',
      role: 'assistant',
      subagentRunId: 'c1',
      toolCalls: [call('c1:r', 'research_result', '{}'), call('c1:n', 'researcher', '{"task":"in"}')],
    },
    { id: 'w', role: 'tool', subagentRunId: 'c1', toolCallId: 'c1:n', content: JSON.stringify(inner) },
  ]);
  expect(cards).toMatchObject([
    {
      id: 'c1',
      words: { text: 'Looking.' },
      children: ['c2'],
      toolCalls: [{ name: 'search', status: 'done', result: { text: '3 hits' } }, { name: 'researcher' }],
    },
    { id: 'c2', parentId: 'c1', brief: { value: { task: 'in' } } },
  ]);
});

it('a rendered envelope is shown as the words that it is', () => {
  const [card] = rebuilt(SHAPES['message of AG-UI']('subagent researcher: completed\nfinding, verified: "x"'));
  expect(card).toMatchObject({ status: 'finished', summary: 'subagent researcher: completed\nfinding, verified: "x"' });
});

it('calls of other tools are none of ours, and what is no message is passed over', () => {
  const other = {
    id: 'm',
    role: 'assistant',
    toolCalls: [{ id: 'x', type: 'function', function: { name: 'weather', arguments: '{}' } }],
  };
  expect(rebuilt([null, 3, 'text', [], { parts: 7 }, { toolCalls: [null, {}] }, { role: 'tool' }, other])).toEqual([]);
});
