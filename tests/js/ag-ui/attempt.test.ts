// What `subcontract.attempt` tells, and what it keeps to itself.
import { type compileContract, defineAgent, delegate } from 'subcontract';
import { type AttemptEvent, isAttemptEvent } from 'subcontract/ag-ui';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const SECRET = 'secret '.repeat(40);

async function attemptsOf(outputSchema: Parameters<typeof compileContract>[0], returned: string) {
  const agent = defineAgent({ name: 'a', description: 'a', outputSchema, maxRetries: 0, run: async () => returned });
  const delegation = delegate(agent, undefined, { subagentRunId: 's' });
  const attempts: AttemptEvent[] = [];
  for await (const event of delegation) if (isAttemptEvent(event)) attempts.push(event);
  return { attempts, toolResult: await delegation.toolResult, envelope: await delegation.envelope };
}

test('a wrong value is described, not shown', async () => {
  const { attempts, toolResult } = await attemptsOf(
    { type: 'object', properties: { note: { const: 'x' } } },
    JSON.stringify({ note: SECRET }),
  );
  expect(attempts).toEqual([
    {
      type: 'CUSTOM',
      name: 'subcontract.attempt',
      subagentRunId: 's',
      value: {
        attempt: 1,
        via: 'text',
        outcome: 'rejected',
        code: 'schema_violation',
        issues: [expect.objectContaining({ instancePath: '/note', schemaPath: '/properties/note/const' })],
        maxRetries: 0,
      },
    },
  ]);
  expect(JSON.stringify(attempts)).not.toContain('secret');
  expect(toolResult).not.toContain('secret');
});

test('a long member name is cut wherever it stands', async () => {
  const name = `${'key '.repeat(40)}end`;
  const shown = `${name.slice(0, 80)}…`;
  const { attempts, envelope } = await attemptsOf(
    { type: 'object', additionalProperties: { type: 'object', additionalProperties: false } },
    JSON.stringify({ [name]: { [name]: 1 } }),
  );
  expect(attempts[0]?.value.issues).toEqual([
    expect.objectContaining({
      instancePath: `/${shown}/${shown}`,
      params: { additionalProperty: shown },
      message: `property "${shown}" is not allowed here, remove it`,
    }),
  ]);
  expect(JSON.stringify(attempts)).not.toContain('end');
  // The envelope is the host's, and has it in full.
  expect(envelope.attempts[0]?.issues?.[0]?.params).toEqual({ additionalProperty: name });
});

test('a refinement that quotes the value is cut', async () => {
  const schema = z.string().refine(() => false, { error: ({ input }) => `unexpected ${input}` });
  const { attempts } = await attemptsOf(schema, JSON.stringify(SECRET));
  const [issue] = attempts[0]?.value.issues ?? [];
  expect(issue).toMatchObject({ keyword: 'refinement', message: `${`unexpected ${SECRET}`.slice(0, 80)}…` });
});

test('the payload is typed', () => {
  expectTypeOf<AttemptEvent['value']['maxRetries']>().toEqualTypeOf<number>();
  expectTypeOf<AttemptEvent['value']['outcome']>().toEqualTypeOf<'accepted' | 'rejected' | 'no_return'>();
});
