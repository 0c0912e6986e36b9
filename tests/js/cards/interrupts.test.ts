// How interrupts are to be answered, by their schemas, and how answers get to TanStack AI's client.
import {
  answerIssues,
  approval,
  denial,
  hasExpired,
  interruptForm,
  resolveChatInterrupts,
  resolved,
} from 'subcontract/cards';
import { expect, it, vi } from 'vitest';
import type { Interrupt } from '../../../js/ag-ui/events.js';
import { Child } from './child-events.js';

const approve = new Child().approval();
const asking = (responseSchema?: Record<string, unknown>): Interrupt => ({
  id: 'i',
  reason: 'input',
  ...(responseSchema && { responseSchema }),
});

it.each<[string, Interrupt, unknown]>([
  ['an approval with arguments to edit', approve, { kind: 'approval', args: { id: 'M-9' } }],
  ['an approval without', { ...approve, metadata: {} }, { kind: 'approval' }],
  [
    'the arguments of a binding',
    { ...approve, metadata: { 'tanstack:interruptBinding': { originalArgs: { id: 1 } } } },
    { kind: 'approval', args: { id: 1 } },
  ],
  ['no schema', asking(), { kind: 'approval' }],
  ['yes or no', asking({ type: 'boolean' }), { kind: 'approval' }],
  ['a text', asking({ type: 'string' }), { kind: 'text' }],
  ['anything else', asking({ type: 'array' }), { kind: 'json' }],
  [
    'a member that no input is for',
    asking({ type: 'object', properties: { list: { type: 'array' } } }),
    { kind: 'json' },
  ],
  [
    'members',
    asking({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'integer', title: 'Limit', description: 'How many' },
        b: { enum: ['x', 2] },
        c: { type: 'boolean' },
        d: { type: 'string' },
      },
    }),
    {
      kind: 'fields',
      fields: [
        { name: 'a', label: 'Limit', description: 'How many', required: true, input: 'number' },
        { name: 'b', label: 'b', required: false, input: 'choice', choices: ['x', 2] },
        { name: 'c', label: 'c', required: false, input: 'boolean' },
        { name: 'd', label: 'd', required: false, input: 'text' },
      ],
    },
  ],
])('the form of %s', (_name, interrupt, form) => {
  expect(interruptForm(interrupt)).toEqual(form);
});

it('answers are what the schema takes', () => {
  for (const answer of [approval(approve), approval(approve, { id: 'M-8' }), denial(approve)]) {
    expect(answerIssues(approve, answer)).toEqual([]);
  }
  expect(approval(asking({ type: 'boolean' })).payload).toBe(true);
  expect(denial(asking({ type: 'boolean' })).payload).toBe(false);
  expect(answerIssues(approve, approval(approve, { id: 9 })).length).toBeGreaterThan(0);
  expect(answerIssues(asking({ type: 'integer' }), resolved(asking(), 'x'))).toEqual([
    expect.objectContaining({ keyword: 'type' }),
  ]);
  expect(answerIssues(approve, { interruptId: 'i', status: 'cancelled' })).toEqual([]);
  // The host judges by a schema that it trusts; the page's reading of another one is no reason not to ask it.
  expect(answerIssues(asking({ type: 'nonsense' }), resolved(asking(), 1))).toEqual([]);
});

it('an interrupt expires', () => {
  const until = { ...approve, expiresAt: '2026-11-30T10:00:00Z' };
  expect(hasExpired(until, Date.parse('2026-11-30T09:59:59Z'))).toBe(false);
  expect(hasExpired(until, Date.parse('2026-11-30T10:00:00Z'))).toBe(true);
  expect(hasExpired({ ...approve, expiresAt: 'soon' }, 0)).toBe(true);
  expect(hasExpired(approve, 0)).toBe(false);
});

it('answers go to the chat’s interrupts of the same ids, and the others are given back', () => {
  const bound = (id: string, kind: string, canResolve = true) => ({
    id,
    kind,
    canResolve,
    resolveInterrupt: vi.fn(),
    cancel: vi.fn(),
  });
  const [tool, edited, generic, off, foreign] = [
    bound('t', 'tool-approval'),
    bound('e', 'tool-approval'),
    bound('g', 'generic'),
    bound('c', 'generic'),
    bound('f', 'unbound', false),
  ] as const;
  const answers = [
    { interruptId: 't', status: 'resolved', payload: { approved: false } },
    { interruptId: 'e', status: 'resolved', payload: { approved: true, editedArgs: { id: 1 } } },
    { interruptId: 'g', status: 'resolved', payload: { limit: 3 } },
    { interruptId: 'c', status: 'cancelled' },
    { interruptId: 'f', status: 'cancelled' },
    { interruptId: 'none', status: 'cancelled' },
  ] as const;
  expect(resolveChatInterrupts([tool, edited, generic, off, foreign], answers)).toEqual(answers.slice(4));
  expect(tool.resolveInterrupt.mock.calls).toEqual([[false]]);
  expect(edited.resolveInterrupt.mock.calls).toEqual([[true, { editedArgs: { id: 1 } }]]);
  expect(generic.resolveInterrupt.mock.calls).toEqual([[{ limit: 3 }]]);
  expect(off.cancel.mock.calls).toEqual([[]]);
  expect(off.resolveInterrupt).not.toHaveBeenCalled();
});
