// Event streams from public bug reports: each breaks exactly the rules that stand here, and a valid one has no error.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { lintEvents } from 'subcontract/ag-ui';
import { describe, expect, it } from 'vitest';

interface Case {
  id: string;
  summary: string;
  spec: string;
  events: unknown[];
  state0?: unknown;
  expected: { valid: boolean; violation_index?: number; warnings?: number };
}

const cases: Case[] = readFileSync(resolve(import.meta.dirname, '../../fixtures/cases/events.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The rules that each case breaks, with the event that breaks them; the other cases break none. */
const BROKEN: Record<string, string[]> = {
  E005: ['run-already-active @3'],
  // Valid, and the call is left to an application that is not told so.
  E007: ['pending-calls-unnamed @7'],
  E009: ['item-not-open @2', 'pending-calls-unnamed @4'],
  E011: ['pending-calls-unnamed @8'],
  E013: ['item-not-open @6', 'pending-calls-unnamed @7'],
  E015: ['event-after-close @2'],
  E017: ['subagent-left-open @2'],
  // A consumer has to accept attribution without an announcement; a producer that can announce should.
  E019: ['subagent-not-announced @1'],
  E023: ['subagent-announced-late @3'],
  E029: ['interrupt-id-reused @1'],
  E033: ['pending-calls-wrong @6'],
  E035: ['step-left-open @4'],
  E037: ['pending-calls-unnamed @3'],
  E039: ['chunk-conflict @2', 'pending-calls-unnamed @3'],
  E041: ['patch-not-applicable @1'],
  E047: ['item-reopened @3', 'call-reopened-differently @3', 'pending-calls-unnamed @5'],
  E049: ['stream-start @0'],
  E057: ['patch-malformed @1'],
};

describe('the cases', () => {
  it.each(cases.map((row) => [row.id, row.summary, row] as const))('%s: %s', (id, _summary, row) => {
    const findings = lintEvents(row.events, 'state0' in row ? { state: row.state0 } : {});
    expect(findings.map(({ rule, index }) => `${rule} @${index}`)).toEqual(BROKEN[id] ?? []);
    const errors = findings.filter(({ severity }) => severity === 'error');
    expect(errors.length === 0).toBe(row.expected.valid);
    if (!row.expected.valid) {
      expect(errors[0]?.index).toBe(row.expected.violation_index);
      for (const { spec } of errors) expect(spec).toMatch(/^https:\/\/docs\.ag-ui\.com\/spec\/1\.0\//);
    }
  });

  it('are all here', () => {
    expect(cases).toHaveLength(29);
    expect(Object.keys(BROKEN).filter((id) => !cases.some((row) => row.id === id))).toEqual([]);
  });
});
