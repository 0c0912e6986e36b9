// The figures: what each way of returning puts into the parent's window, counted on what was sent.
import { chat } from '@tanstack/ai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
  mergeResults,
  type Rendering,
  renderForParent,
  type StrictResearchResult,
  strictResearchResult,
} from 'subcontract';
import { type Caveat, caveatsOf, type Presence, presenceOf } from './caveats.js';
import { PARENT_PROMPT } from './conversation.js';
import type { Line, WireMessage } from './provider.js';
import type { Child, Step } from './watch.js';

export type Arm = 'transcripts' | 'summaries' | 'envelopes';
export const ARMS: Arm[] = ['transcripts', 'summaries', 'envelopes'];

export interface CaveatRow extends Caveat {
  child: string;
  presence: Record<Arm, Presence>;
}

export interface ChildFigures {
  name: string;
  /** What the arm hands the parent for this child, in tokens. */
  handedOver: Record<Arm, number>;
  /** The child's first model call, and all of its calls, with its brief and with a copy of the parent's messages. */
  input: { calls: number; first: number; all: number; firstWithCopy: number; allWithCopy: number };
  /** Output tokens of each return it wrote, in order. */
  returns: number[];
}

export interface Figures {
  window: Record<'before' | Arm, number>;
  children: ChildFigures[];
  caveats: CaveatRow[];
  /** What `renderForParent` writes of each envelope, and of all of them merged. */
  rendered: { records: number[]; merged: { tokens: number; text: string } };
}

/** Tokens of a list of messages: contents, tool names and arguments; no allowance for a provider's framing. */
export function windowTokens(messages: WireMessage[]): number {
  return messages.map(messageText).reduce((sum, text) => sum + countTokens(text), 0);
}

function messageText({ content, tool_calls = [] }: WireMessage): string {
  const text = typeof content === 'string' ? content : content ? JSON.stringify(content) : '';
  return [text, ...tool_calls.map((call) => `${call.function.name} ${call.function.arguments}`)].join('\n');
}

/** A child's transcript, as a framework without contracts hands it to the parent. */
export function transcriptOf(child: Child): string[] {
  return child.steps.map(stepText);
}

function stepText(step: Step): string {
  switch (step.kind) {
    case 'text':
      return step.text;
    case 'call':
      return `${step.name} ${step.args}`;
    case 'result':
      return step.text;
  }
}

/** Asks the model for a free summary of a child's transcript: the arm that has no contract. */
export async function freeSummary({ adapter }: Line, child: Child): Promise<string> {
  let text = '';
  const stream = chat({
    adapter,
    systemPrompts: [
      'You summarise the work of a subagent for the agent that delegated it, in about 400 tokens of prose.',
    ],
    messages: [
      {
        role: 'user',
        content: `Subagent: ${child.name}\nBrief: ${child.brief}\n\nTranscript:\n${transcriptOf(child).join('\n\n')}`,
      },
    ],
  });
  for await (const chunk of stream) {
    if (chunk.type === 'TEXT_MESSAGE_CONTENT') text += chunk.delta;
    if (chunk.type === 'RUN_ERROR') throw new Error(`the summary of ${child.name} failed: ${chunk.message}`);
  }
  return text;
}

/** All figures of a run. `requests` are those of the run itself, without the summaries'. */
export function measure(requests: WireMessage[][], children: Child[], summaries: Map<string, string>): Figures {
  const first = requests.find((messages) => isFrom(messages, PARENT_PROMPT)) ?? [];
  const last = parentsLast(requests);

  const texts: Record<Arm, (child: Child) => string[]> = {
    transcripts: transcriptOf,
    summaries: (child) => [summaries.get(child.subagentRunId) ?? ''],
    envelopes: (child) => [toolMessage(last, child.parentToolCallId)],
  };
  const inArm = (arm: Arm) =>
    last.map((message) => {
      const child = children.find((one) => one.parentToolCallId === message.tool_call_id);
      return child === undefined ? message : { ...message, content: texts[arm](child).join('\n\n') };
    });
  const perArm = <T>(value: (arm: Arm) => T) => ({
    transcripts: value('transcripts'),
    summaries: value('summaries'),
    envelopes: value('envelopes'),
  });

  return {
    window: { before: windowTokens(first), ...perArm((arm) => windowTokens(inArm(arm))) },
    children: children.map((child) => ({
      name: child.name,
      handedOver: perArm((arm) => countTokens(texts[arm](child).join('\n\n'))),
      input: inputOf(child, requests),
      returns: returnTexts(child).map((text) => countTokens(text)),
    })),
    caveats: children.flatMap((child) =>
      recordCaveats(child).map((caveat) => ({
        ...caveat,
        child: child.name,
        presence: perArm((arm) => presenceOf(caveat, armTexts(arm, child, texts))),
      })),
    ),
    rendered: renderings(children),
  };
}

/** Each envelope, and all of them merged, as `renderForParent` writes them without a limit. */
function renderings(children: Child[]): Figures['rendered'] {
  const envelopes = children.flatMap(({ envelope }) => (envelope ? [envelope] : []));
  const whole = (value: unknown) => textOf(renderForParent(value, { maxTokens: Number.MAX_SAFE_INTEGER, countTokens }));
  if (envelopes.length === 0) return { records: [], merged: { tokens: 0, text: '' } };
  return {
    records: envelopes.map((envelope) => whole(envelope).tokens),
    merged: whole(mergeResults(strictResearchResult, envelopes)),
  };
}

function textOf(rendering: Rendering): { tokens: number; text: string } {
  if ('overBudget' in rendering) throw new Error('nothing is over this budget');
  return rendering;
}

export function recordCaveats(child: Child): Caveat[] {
  const record: StrictResearchResult | null | undefined = child.envelope?.final_result;
  return record ? caveatsOf(record) : [];
}

/** For the caveat test a transcript is taken apart, so that the arguments of its calls are read as JSON. */
function armTexts(arm: Arm, child: Child, texts: Record<Arm, (child: Child) => string[]>): string[] {
  if (arm !== 'transcripts') return texts[arm](child);
  return child.steps.map((step) => (step.kind === 'call' ? step.args : stepText(step)));
}

function inputOf(child: Child, requests: WireMessage[][]) {
  const own = requests.filter((messages) => isFrom(messages, `You are ${child.name},`));
  const firstAt = own[0] === undefined ? -1 : requests.indexOf(own[0]);
  const before = parentsLast(requests.slice(0, Math.max(0, firstAt)));
  // A copy of the parent's messages (without its system prompt) stands before the brief.
  const copy = windowTokens(before.filter(({ role }) => role !== 'system'));
  const counts = own.map(windowTokens);
  const all = counts.reduce((sum, count) => sum + count, 0);
  return {
    calls: own.length,
    first: counts[0] ?? 0,
    all,
    firstWithCopy: (counts[0] ?? 0) + copy,
    allWithCopy: all + copy * own.length,
  };
}

/** The argument text of each return: a transcript has them all, the refused ones too. */
export function returnTexts({ steps }: Child): string[] {
  return steps.flatMap((step) => (step.kind === 'call' && step.name === 'research_result' ? [step.args] : []));
}

/** The parent's last request, which holds all that it has been handed. */
export function parentsLast(requests: WireMessage[][]): WireMessage[] {
  return requests.findLast((messages) => isFrom(messages, PARENT_PROMPT)) ?? [];
}

/** What the parent's model read as the result of a delegating call. */
export function toolMessage(messages: WireMessage[], toolCallId: string): string {
  const message = messages.find(({ tool_call_id }) => tool_call_id === toolCallId);
  return typeof message?.content === 'string' ? message.content : '';
}

function isFrom(messages: WireMessage[], systemPrompt: string): boolean {
  return messages.some(({ role, content }) => role === 'system' && String(content).startsWith(systemPrompt));
}
