// All rules of the linter, in the order of the specification's pages.
import type { Rule, RuleText } from './rule.js';
import { eventModel, SHAPE_RULES } from './rules/event-model.js';
import { interrupts } from './rules/interrupts.js';
import { lifecycle } from './rules/lifecycle.js';
import { ownership } from './rules/ownership.js';
import { resultRule } from './rules/results.js';
import { payloadRule, resume } from './rules/resume.js';
import { state } from './rules/state.js';
import { CHUNK_RULES, streaming } from './rules/streaming.js';
import { subagents } from './rules/subagents.js';
import { toolCalls } from './rules/tool-calls.js';
import { usage } from './rules/usage.js';

/** The rules with checks that need nothing from outside. */
export const CHECKED_RULES: readonly Rule[] = [
  ...eventModel,
  ...lifecycle,
  ...usage,
  ...streaming,
  ...toolCalls,
  ...state,
  ...subagents,
  ...ownership,
  ...interrupts,
  ...resume,
];

/** A group of rules as the documentation shows them. */
export interface RuleGroup {
  title: string;
  rules: readonly RuleText[];
}

/** Every rule, for the documentation. */
export const RULE_GROUPS: readonly RuleGroup[] = [
  { title: 'Events', rules: [...Object.values(SHAPE_RULES), ...eventModel] },
  { title: 'Runs and steps', rules: lifecycle },
  { title: 'Token usage', rules: usage },
  { title: 'Streamed items', rules: [...Object.values(CHUNK_RULES), ...streaming] },
  { title: 'Tool calls', rules: toolCalls },
  { title: 'State, activities and reasoning', rules: state },
  { title: 'Subagents', rules: [...subagents, resultRule(new Map())] },
  { title: 'Ownership', rules: ownership },
  { title: 'Interrupts', rules: interrupts },
  { title: 'Resumed runs', rules: [...resume, payloadRule(undefined)] },
];
