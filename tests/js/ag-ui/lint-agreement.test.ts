// The linter beside the protocol's own reader: what `@ag-ui/client` 1.0.0 and its schemas refuse is an error here too.
import { type BaseEvent, transformChunks, verifyEvents } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { lintEvents } from 'subcontract/ag-ui';
import { expect, it } from 'vitest';
import { EVENTS, type Fields, type Kind } from '../../../js/ag-ui/shapes.js';

const id = fc.constantFrom('a', 'b');
const tag = fc.option(fc.constantFrom('s1', 's2'), { nil: undefined });
const bracket = (type: string, field: string, more: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ type: fc.constant(type), [field]: id, subagentRunId: tag, ...more });
const event: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  bracket('TEXT_MESSAGE_START', 'messageId'),
  bracket('TEXT_MESSAGE_CONTENT', 'messageId', { delta: fc.constant('x') }),
  bracket('TEXT_MESSAGE_END', 'messageId'),
  bracket('TOOL_CALL_START', 'toolCallId', {
    toolCallName: fc.constant('scout'),
    parentMessageId: fc.option(id, { nil: undefined }),
  }),
  bracket('TOOL_CALL_ARGS', 'toolCallId', { delta: fc.constant('{}') }),
  bracket('TOOL_CALL_END', 'toolCallId'),
  bracket('TOOL_CALL_RESULT', 'toolCallId', { messageId: fc.constantFrom('a', 'm'), content: fc.constant('x') }),
  bracket('STEP_STARTED', 'stepName'),
  bracket('STEP_FINISHED', 'stepName'),
  bracket('REASONING_START', 'messageId'),
  bracket('REASONING_MESSAGE_START', 'messageId', { role: fc.constant('reasoning') }),
  bracket('REASONING_MESSAGE_CONTENT', 'messageId', { delta: fc.constant('x') }),
  bracket('REASONING_MESSAGE_END', 'messageId'),
  bracket('REASONING_END', 'messageId'),
  bracket('REASONING_ENCRYPTED_VALUE', 'entityId', {
    subtype: fc.constantFrom('message', 'tool-call'),
    encryptedValue: fc.constant('x'),
  }),
  bracket('TEXT_MESSAGE_CHUNK', 'messageId', { delta: fc.constant('x') }),
  fc.record({ type: fc.constant('TEXT_MESSAGE_CHUNK'), delta: fc.constant('x'), subagentRunId: tag }),
  bracket('TOOL_CALL_CHUNK', 'toolCallId', {
    toolCallName: fc.constantFrom('scout', 'other'),
    delta: fc.constant('x'),
  }),
  bracket('ACTIVITY_SNAPSHOT', 'messageId', { activityType: fc.constant('x'), content: fc.constant({}) }),
  bracket('ACTIVITY_DELTA', 'messageId', { activityType: fc.constant('x'), patch: fc.constant([]) }),
  fc.record({
    type: fc.constant('SUBAGENT_STARTED'),
    subagentRunId: fc.constantFrom('s1', 's2'),
    name: fc.constant('scout'),
    parentSubagentRunId: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
  }),
  fc.record({ type: fc.constant('SUBAGENT_FINISHED'), subagentRunId: fc.constantFrom('s1', 's2') }),
  fc.record({ type: fc.constant('CUSTOM'), name: fc.constant('a.b'), value: fc.constant(1), subagentRunId: tag }),
  fc.record({ type: fc.constant('RUN_STARTED'), threadId: fc.constant('t'), runId: fc.constantFrom('r', 'r2') }),
  fc.record({ type: fc.constant('RUN_FINISHED'), threadId: fc.constant('t'), runId: fc.constantFrom('r', 'r2') }),
  fc.record({ type: fc.constant('RUN_ERROR'), message: fc.constant('x') }),
);

async function refused(events: readonly unknown[]): Promise<string | undefined> {
  const wire = JSON.parse(JSON.stringify(events)) as BaseEvent[];
  try {
    await lastValueFrom(verifyEvents(false)(transformChunks(false)(from(wire))).pipe(toArray()), { defaultValue: [] });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

it('a stream without an error is one that the strict verifier takes', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (inner) => {
      const events = [
        { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
        ...inner,
        { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
      ];
      const errors = lintEvents(events).filter(({ severity }) => severity === 'error');
      const message = await refused(events);
      if (errors.length === 0) expect(message).toBeUndefined();
      if (message === undefined) taken += 1;
    }),
    { numRuns: 3000, seed: 8 },
  );
  expect(taken).toBeGreaterThan(50);
}, 60_000);

/** A value of a kind, or, now and then, of none. */
function valueFor(kind: Kind): fc.Arbitrary<unknown> {
  switch (kind.is) {
    case 'string':
      return kind.pattern ? fc.constantFrom('', '/a', '/a~1b', 'a', '/~2') : fc.string({ maxLength: 3 });
    case 'one of':
      return fc.constantFrom(...kind.values, 'other');
    case 'integer':
      return fc.constantFrom(0, 1, -1, 1.5, 2 ** 53, 7);
    case 'boolean':
      return fc.boolean();
    case 'list':
      return fc.array(fuzzed(kind.of), { maxLength: 2 });
    case 'object':
      return recordOf(kind.fields);
    case 'tagged':
      return fc.oneof(
        ...Object.entries(kind.of).map(([name, fields]) =>
          recordOf(fields).map((value) => ({ ...(value as object), [kind.by]: name })),
        ),
      );
    case 'content':
      return fc.oneof(fc.string({ maxLength: 3 }), valueFor(kind.parts));
    case 'open':
      return fc.constantFrom({}, { a: null });
    default:
      return fc.constantFrom(1, 'x', null, { a: null }, []);
  }
}

function fuzzed(kind: Kind): fc.Arbitrary<unknown> {
  const wrong = fc.constantFrom<unknown>(null, 1, 'x', {}, [], true, 1.5);
  return fc.oneof({ weight: 40, arbitrary: valueFor(kind) }, { weight: 1, arbitrary: wrong });
}

function recordOf(fields: Fields): fc.Arbitrary<unknown> {
  const optional = Object.keys(fields).filter((name) => fields[name]?.optional);
  const required = Object.keys(fields).filter((name) => !fields[name]?.optional);
  return fc
    .record(Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, fuzzed(kind)])), {
      requiredKeys: required,
    })
    .chain((value) =>
      fc
        .subarray(optional, { maxLength: Math.min(2, optional.length) })
        .map((kept) =>
          Object.fromEntries(Object.entries(value).filter(([name]) => required.includes(name) || kept.includes(name))),
        ),
    );
}

const SHAPE = new Set(['field-missing', 'field-malformed', 'optional-null', 'patch-malformed']);

it.each(Object.entries(EVENTS))('%s has the shape that the schemas of the protocol give it', (type, fields) => {
  const { type: _, ...rest } = fields;
  let taken = 0;
  fc.assert(
    fc.property(recordOf(rest), (value) => {
      const given = { ...(value as object), type };
      // The one null that the schemas still read as absent.
      const { input } = given as { input?: { state?: unknown } };
      fc.pre(input?.state !== null);
      const shape = lintEvents([given]).filter(({ rule }) => SHAPE.has(rule));
      const parsed = EventSchema.safeParse(given);
      if (parsed.success) taken += 1;
      expect({ given, taken: shape.length === 0 }).toEqual({ given, taken: parsed.success });
    }),
    { numRuns: 400, seed: 8 },
  );
  expect(taken).toBeGreaterThan(10);
});
