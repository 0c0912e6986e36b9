// What chatWithSubagents refuses, before anything runs.
import type { AnyTextAdapter } from '@tanstack/ai';
import { defineAgent } from 'subcontract';
import { chatWithSubagents } from 'subcontract/tanstack';
import { describe, expect, it } from 'vitest';

const agent = defineAgent({ name: 'scout', description: 'Finds prices', run: () => 'ten' });

/** Calls it as untyped JavaScript would. */
const call = (options: object) =>
  chatWithSubagents({
    adapter: {} as AnyTextAdapter,
    messages: [],
    ...options,
  } as unknown as Parameters<typeof chatWithSubagents>[0]);

describe('chatWithSubagents refuses', () => {
  it.each([
    ['no subagents', {}, /without children, call chat\(\) itself/],
    ['no seal', { subagents: { agents: [agent] } }, /subagents\.seal is required/],
    ['a seal without keys', { subagents: { agents: [agent], seal: { keys: [] } } }, /at least one key/],
    ['a seal that is none', { subagents: { agents: [agent], seal: 'some' } }, /seal must be/],
    [
      'a router',
      { subagents: { agents: [agent], seal: 'none', router: () => 'main' } },
      /subagents\.router is not there yet/,
    ],
    [
      'a strategy',
      { subagents: { agents: [agent], seal: 'none', strategy: 'handoff' } },
      /subagents\.strategy is not there yet/,
    ],
    ['limits', { subagents: { agents: [agent], seal: 'none', limits: {} } }, /subagents\.limits is not there yet/],
    ['no list', { subagents: { agents: agent, seal: 'none' } }, /must be a list/],
    ['two agents of one name', { subagents: { agents: [agent, agent], seal: 'none' } }, /two agents are named "scout"/],
    [
      'an output schema',
      { subagents: { agents: [agent], seal: 'none' }, outputSchema: {} },
      /outputSchema belongs to the agents/,
    ],
    ['no stream', { subagents: { agents: [agent], seal: 'none' }, stream: false }, /stream: false is not there/],
  ])('%s', (_what, options, sentence) => {
    expect(() => call(options)).toThrow(sentence);
  });
});
