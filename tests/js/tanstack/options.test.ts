// What chatWithSubagents refuses, before anything runs.
import type { AnyTextAdapter } from '@tanstack/ai';
import { defineAgent } from 'subcontract';
import { chatWithSubagents } from 'subcontract/tanstack';
import { describe, expect, it } from 'vitest';

const agent = defineAgent({ name: 'scout', description: 'Finds prices', run: () => 'ten' });

const given = { agents: [agent], seal: 'none' };
const router = () => 'main';

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
    ['a router that is none', { subagents: { ...given, router: 'main' } }, /subagents\.router must be a function/],
    [
      'a strategy without a router',
      { subagents: { ...given, strategy: 'handoff' } },
      /subagents\.strategy is for turns that a router gives away/,
    ],
    [
      'an unknown strategy',
      { subagents: { ...given, router, strategy: 'relay' } },
      /subagents\.strategy must be 'exclusive' or 'handoff'/,
    ],
    ['an unknown order', { subagents: { ...given, order: 'random' } }, /subagents\.order must be 'parallel' or/],
    [
      'a router beside delegate_task',
      { subagents: { ...given, router, delegateTask: true } },
      /with a router it does not/,
    ],
    ['limits that are none', { subagents: { ...given, limits: { maxCalls: 0 } } }, /maxCalls/],
    ['what is no option', { subagents: { ...given, sandbox: 'own' } }, /subagents has an unknown field "sandbox"/],
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
