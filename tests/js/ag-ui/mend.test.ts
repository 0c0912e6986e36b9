// StreamMender: what a sloppy producer sends, and what a strict client gets.
import fc from 'fast-check';
import { type AGUIEvent, StreamMender } from 'subcontract/ag-ui';
import { describe, expect, test } from 'vitest';
import { verified } from '../delegate/strict-client.js';

function mend(events: AGUIEvent[], pendingToolCalls: string[] = []): AGUIEvent[] {
  const mender = new StreamMender({ pendingToolCalls });
  return [...events.flatMap((event) => mender.mend(event)), ...mender.close()];
}

const text = (delta: string, messageId = 'm'): AGUIEvent => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
const start = (messageId = 'm'): AGUIEvent => ({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
const end = (messageId = 'm'): AGUIEvent => ({ type: 'TEXT_MESSAGE_END', messageId });
const call = (toolCallId = 'c'): AGUIEvent => ({ type: 'TOOL_CALL_START', toolCallId, toolCallName: 'x' });
const callArgs = (delta: string, toolCallId = 'c'): AGUIEvent => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta });
const callEnd = (toolCallId = 'c'): AGUIEvent => ({ type: 'TOOL_CALL_END', toolCallId });
const result = (toolCallId = 'c'): AGUIEvent => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `${toolCallId}-r`,
  toolCallId,
  content: 'y',
});
const step = (type: 'STEP_STARTED' | 'STEP_FINISHED', subagentRunId?: string): AGUIEvent => ({
  type,
  stepName: 's',
  ...(subagentRunId !== undefined && { subagentRunId }),
});

function owned(event: AGUIEvent, subagentRunId: string): AGUIEvent {
  return { ...event, subagentRunId } as AGUIEvent;
}

function renamed(event: AGUIEvent, owner: string): AGUIEvent {
  const { messageId } = event as { messageId: string };
  return { ...event, messageId: `${owner}:${messageId}`, subagentRunId: owner } as AGUIEvent;
}

/** In a run that tells of the child `s`, which the mender is not told about: that is for the delegation to say. */
function told(events: readonly AGUIEvent[]): AGUIEvent[] {
  const subagentRunId = 's';
  const its = events.filter((event) => 'subagentRunId' in event && event.subagentRunId === subagentRunId);
  if (its.length === 0 || its.some(({ type }) => type === 'SUBAGENT_STARTED')) return [...events];
  return [
    { type: 'SUBAGENT_STARTED', subagentRunId, name: 'child' },
    ...events,
    { type: 'SUBAGENT_FINISHED', subagentRunId },
  ];
}

const thought = (type: 'REASONING_START' | 'REASONING_END', messageId = 'm'): AGUIEvent => ({ type, messageId });

const cases: Record<string, [sent: AGUIEvent[], got: AGUIEvent[]]> = {
  'a text under the id of reasoning gets one of its own, and its calls follow it': [
    [
      thought('REASONING_START'),
      thought('REASONING_END'),
      start(),
      text('a'),
      { ...call(), parentMessageId: 'm' } as AGUIEvent,
      callEnd(),
      end(),
    ],
    [
      thought('REASONING_START'),
      thought('REASONING_END'),
      start('m:text'),
      text('a', 'm:text'),
      { ...call(), parentMessageId: 'm:text' } as AGUIEvent,
      callEnd(),
      end('m:text'),
    ],
  ],
  'reasoning and a result under the id of a text get ones of their own': [
    [
      start(),
      text('a'),
      end(),
      thought('REASONING_START'),
      thought('REASONING_END'),
      { ...result(), messageId: 'm' } as AGUIEvent,
    ],
    [
      start(),
      text('a'),
      end(),
      thought('REASONING_START', 'm:reasoning'),
      thought('REASONING_END', 'm:reasoning'),
      { ...result(), messageId: 'm:result' } as AGUIEvent,
    ],
  ],
  'a clean stream is left alone': [
    [start(), text('a'), end(), call(), callArgs('{}'), callEnd(), result()],
    [start(), text('a'), end(), call(), callArgs('{}'), callEnd(), result()],
  ],
  'a missing start is added': [
    [text('a'), end()],
    [start(), text('a'), end()],
  ],
  'missing ends are added, the innermost first': [
    [step('STEP_STARTED'), start(), call()],
    [step('STEP_STARTED'), start(), call(), callEnd(), end(), step('STEP_FINISHED')],
  ],
  'a second start and a second end are dropped': [
    [start(), start(), text('a'), end(), end(), step('STEP_STARTED'), step('STEP_FINISHED'), step('STEP_FINISHED')],
    [start(), text('a'), end(), step('STEP_STARTED'), step('STEP_FINISHED')],
  ],
  'empty deltas are dropped': [
    [start(), text(''), end()],
    [start(), end()],
  ],
  'arguments of a call nobody started are dropped': [[callArgs('{}'), callEnd()], []],
  'a result ends its call': [
    [call(), result()],
    [call(), callEnd(), result()],
  ],
  'a call that waits for its result is not started again': [
    [call(), callEnd(), call(), callArgs('{}'), callEnd(), result()],
    [call(), callEnd(), result()],
  ],
  'an answered call id used again is another call': [
    [call(), callEnd(), result(), call(), callEnd()],
    [call(), callEnd(), result(), call(), callEnd()],
  ],
  "a continuation keeps its opener's owner": [
    [owned(start(), 's'), text('a'), end()],
    [owned(start(), 's'), owned(text('a'), 's'), owned(end(), 's')],
  ],
  "a child that writes under its parent's id writes a message of its own": [
    [start(), owned(text('a'), 's'), end()],
    [start(), renamed(start(), 's'), renamed(text('a'), 's'), end(), renamed(end(), 's')],
  ],
  "an id that its parent had is the child's own when the child opens it": [
    [start(), end(), owned(start(), 's'), owned(end(), 's')],
    [start(), end(), renamed(start(), 's'), renamed(end(), 's')],
  ],
  "an id that a child had is its parent's again when the parent opens it": [
    [owned(start(), 's'), start(), text('a'), end()],
    [owned(start(), 's'), owned(end(), 's'), start(), text('a'), end()],
  ],
  "a step is its owner's alone": [
    [
      { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n' },
      step('STEP_STARTED'),
      step('STEP_STARTED', 's'),
      step('STEP_FINISHED'),
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's' },
    ],
    [
      { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n' },
      step('STEP_STARTED'),
      step('STEP_STARTED', 's'),
      step('STEP_FINISHED'),
      step('STEP_FINISHED', 's'),
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's' },
    ],
  ],
  'a subagent is started once and ended once': [
    [
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n' },
      { type: 'SUBAGENT_ERROR', subagentRunId: 's', message: 'm' },
    ],
    [
      { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'n' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's' },
    ],
  ],
  'a span that ends closes the reasoning message in it': [
    [
      { type: 'REASONING_START', messageId: 'r' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'hm' },
      { type: 'REASONING_END', messageId: 'r' },
    ],
    [
      { type: 'REASONING_START', messageId: 'r' },
      { type: 'REASONING_MESSAGE_START', messageId: 'r', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'hm' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r' },
      { type: 'REASONING_END', messageId: 'r' },
    ],
  ],
  'chunks are written out': [
    [
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'a' },
      { type: 'CUSTOM', name: 'x', value: 1 },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'b' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'x', delta: '{' },
      { type: 'TOOL_CALL_CHUNK', delta: '}' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'd', toolCallName: 'x' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'names nothing' },
      { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r', delta: 'hm' },
    ],
    [
      start(),
      text('a'),
      { type: 'CUSTOM', name: 'x', value: 1 },
      text('b'),
      end(),
      call(),
      callArgs('{'),
      callArgs('}'),
      callEnd(),
      call('d'),
      callEnd('d'),
      { type: 'REASONING_MESSAGE_START', messageId: 'r', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'hm' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r' },
    ],
  ],
};

describe('mend', () => {
  test.each(Object.entries(cases))('%s', async (_, [sent, got]) => {
    const mended = mend(sent);
    expect(mended).toEqual(got);
    await verified(told(mended));
  });

  test('a pending call of an earlier run is answered only', () => {
    expect(mend([call(), callArgs('{}'), callEnd(), result()], ['c'])).toEqual([result()]);
  });

  describe('a subagent that waits, of a child', () => {
    const waits: AGUIEvent = {
      type: 'SUBAGENT_FINISHED',
      subagentRunId: 'inner',
      outcome: { type: 'suspended', interruptIds: ['inner:i'] },
    };
    const mender = () => {
      const mender = new StreamMender({ owner: 'child' });
      const started: AGUIEvent = { type: 'SUBAGENT_STARTED', subagentRunId: 'inner', name: 'inner' };
      expect([mender.mend(started), mender.mend(waits), mender.closeRun()]).toEqual([[started], [], []]);
      return mender;
    };
    const ended = [expect.objectContaining({ type: 'SUBAGENT_ERROR', subagentRunId: 'inner', code: 'aborted' })];

    test('waits where the child asks what it asks', () => {
      expect(mender().close(new Set(['inner:i', 'child:j']))).toEqual([waits]);
    });

    test('has ended where the child does not ask it, or does not wait at all', () => {
      expect(mender().close(new Set(['child:j']))).toEqual(ended);
      expect(mender().close()).toEqual(ended);
    });

    test('ends as it does when the child goes on with it', () => {
      const goesOn = mender();
      const done: AGUIEvent = { ...waits, outcome: { type: 'success' } } as AGUIEvent;
      expect([goesOn.mend(done), goesOn.close()]).toEqual([[done], []]);
    });
  });

  test('what a producer sends in any order, a strict client takes, and mending twice changes nothing', async () => {
    const id = fc.constantFrom('a', 'b');
    const owner = fc.constantFrom({}, { subagentRunId: 's' });
    const tagged = <T>(arbitrary: fc.Arbitrary<T>) =>
      fc.tuple(arbitrary, owner).map(([event, tag]) => ({ ...event, ...tag }));
    const event = fc.oneof(
      tagged(id.map(start)),
      tagged(id.map((x) => text('t', x))),
      tagged(id.map(end)),
      tagged(id.map(call)),
      tagged(id.map((x) => callArgs('{}', x))),
      tagged(id.map(callEnd)),
      tagged(id.map(result)),
      tagged(id.map((messageId) => ({ ...result(), messageId }))),
      tagged(fc.constantFrom(step('STEP_STARTED'), step('STEP_FINISHED'))),
      tagged(id.map((messageId) => ({ type: 'REASONING_START', messageId }))),
      tagged(id.map((messageId) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId, delta: 'r' }))),
      tagged(id.map((messageId) => ({ type: 'REASONING_END', messageId }))),
      tagged(
        fc
          .option(id, { nil: undefined })
          .map((messageId) => ({ type: 'TEXT_MESSAGE_CHUNK', ...(messageId && { messageId }), delta: 'k' })),
      ),
      id.map((subagentRunId) => ({ type: 'SUBAGENT_STARTED', subagentRunId, name: 'n' })),
      id.map((subagentRunId) => ({ type: 'SUBAGENT_FINISHED', subagentRunId })),
    ) as fc.Arbitrary<AGUIEvent>;
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const once = mend(events);
        await verified(told(once));
        expect(mend(once)).toEqual(once);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
