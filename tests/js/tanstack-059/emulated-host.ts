// A host that runs agents itself, as TanStack AI is documented to from 0.59 on: what it gives a child, and what it makes of it.
import type { StreamChunk } from '@tanstack/ai';
import type { AGUIEvent, Interrupt, TokenUsage } from 'subcontract/ag-ui';
import type { DefinedAgent059, DefinedAgentNewest } from './shapes.js';

/** `0.59`: no input, and the child's text is its result. `newest`: the checked input, and a result before the text. */
export type Version = '0.59' | 'newest';

type Agent = DefinedAgent059 & DefinedAgentNewest;
type Message = Record<string, unknown>;

/** One delegating call of the parent's model. */
export interface Call {
  agent: string;
  id?: string;
  input?: unknown;
}

/** What the client sends with the answers to a child's interrupts. */
export interface Continued {
  /** The run that was interrupted. */
  interruptedRunId: string;
  subagentRunId: string;
  /** The child's own messages, as the client has them. */
  messages: Message[];
  resume: { interruptId: string; status: 'resolved' | 'cancelled'; payload?: unknown; metadata?: object }[];
}

/** One run of the parent, with what its model reads as the call's result. */
export interface HostRun {
  events: AGUIEvent[];
  /** Absent while the child waits. */
  toolResult: unknown;
  subagentRunId: string;
  interrupts: Interrupt[];
}

/** How long a string in a result may be before the parent's model gets a note instead. */
const LONGEST = 2048;

/** Runs agents. `persistence`: whether calls may go on with a stored child, which takes a field of every input. */
export class EmulatedHost {
  readonly #agents: Map<string, Agent>;
  #children = 0;
  #runs = 0;

  constructor(
    readonly version: Version,
    agents: readonly unknown[],
    readonly options: { persistence?: boolean; signal?: AbortSignal } = {},
  ) {
    this.#agents = new Map((agents as Agent[]).map((agent) => [agent.name, agent]));
    for (const agent of this.#agents.values()) {
      if (agent.name.trim() === 'main') throw new Error('main is the parent');
      const fields = (agent.inputSchema as { properties?: object } | undefined)?.properties ?? {};
      const taken = ['sessionId', 'background'].find((name) => name in fields);
      if (options.persistence && taken)
        throw new Error(`the inputSchema of ${agent.name} uses ${taken}, which is reserved`);
    }
  }

  /** The parent's model calls an agent. `parent`: its messages up to that call. */
  async delegate(call: Call, parent: Message[] = [], continued?: Continued): Promise<HostRun> {
    this.#runs += 1;
    const runId = `run-${this.#runs}`;
    const toolCallId = call.id ?? 'call-1';
    const events: AGUIEvent[] = [{ type: 'RUN_STARTED', threadId: 'thread', runId }];
    if (!continued) {
      events.push(
        { type: 'TOOL_CALL_START', toolCallId, toolCallName: call.agent },
        { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(call.input ?? {}) },
        { type: 'TOOL_CALL_END', toolCallId },
      );
    }
    const child = await this.#child(call, { runId, toolCallId, parent, continued }, (event) => events.push(event));
    const waits = child.interrupts.length > 0;
    const toolResult = waits ? undefined : this.#modelReads(child);
    if (!waits) {
      const content = JSON.stringify(toolResult);
      events.push({ type: 'TOOL_CALL_RESULT', messageId: `of ${toolCallId}`, toolCallId, content, role: 'tool' });
    }
    events.push({
      type: 'RUN_FINISHED',
      threadId: 'thread',
      runId,
      ...(child.usage.length > 0 && { usage: child.usage }),
      ...(waits && { outcome: { type: 'interrupt', interrupts: rebound(child.interrupts, runId) } }),
    });
    return { events, toolResult, subagentRunId: child.id, interrupts: child.interrupts };
  }

  /** A router's list in sequence: each child reads the text of the one before it. */
  async sequence(names: readonly string[], parent: Message[]): Promise<string[]> {
    let messages = parent;
    const texts: string[] = [];
    for (const agent of names) {
      const { text } = await this.#child(
        { agent },
        { runId: 'run', toolCallId: undefined, parent: messages },
        () => {},
      );
      texts.push(text.trim());
      messages = [...messages, { role: 'assistant', content: text.trim() }];
    }
    return texts;
  }

  #modelReads({ text, result, error }: Child): unknown {
    if (error !== undefined) return { error };
    if (this.version === '0.59' || result === undefined) return { result: text };
    return { result: withoutLongStrings(result) };
  }

  async #child(
    { agent: name, input }: Call,
    around: { runId: string; toolCallId: string | undefined; parent: Message[]; continued?: Continued | undefined },
    emit: (event: AGUIEvent) => void,
  ): Promise<Child> {
    const agent = this.#agents.get(name);
    if (!agent) throw new Error(`no agent ${name}`);
    const { runId, toolCallId, parent, continued } = around;
    this.#children += 1;
    const id = continued?.subagentRunId ?? `subagent-${this.#children}`;
    const { signal } = this.options;
    const child: Child = { id, text: '', interrupts: [], usage: [] };
    const base = {
      messages: [...parent, ...(continued?.messages ?? [])],
      ...(signal && { abortSignal: signal }),
      threadId: `thread:${name}`,
      runId: `${runId}:${id}`,
      parentRunId: continued?.interruptedRunId ?? runId,
      subagentRunId: id,
      ...(continued && { resume: continued.resume }),
    };
    const ctx =
      this.version === '0.59'
        ? base
        : {
            ...base,
            input: agent.inputSchema === undefined ? undefined : input,
            forward: { threadId: base.threadId, runId: base.runId, parentRunId: base.parentRunId, subagentRunId: id },
            chat: () => {
              throw new Error('a bound chat() fills in what the host knows, and was not asked for');
            },
            keys: { get: (provider: string) => `key of ${provider}` },
          };
    emit({
      type: 'SUBAGENT_STARTED',
      subagentRunId: id,
      name: agent.name,
      description: agent.description,
      ...(toolCallId !== undefined && { parentToolCallId: toolCallId }),
    });
    emit(await this.#read(agent.run(ctx as never) as AsyncIterable<StreamChunk>, child, emit));
    return child;
  }

  /** Reads a child's stream to its end, and gives the event that tells it. */
  async #read(run: AsyncIterable<StreamChunk>, child: Child, emit: (event: AGUIEvent) => void): Promise<AGUIEvent> {
    const { id } = child;
    const { signal } = this.options;
    const stopped: AGUIEvent = { type: 'SUBAGENT_ERROR', subagentRunId: id, message: 'Stopped' };
    const failed = (message: string, code?: string): AGUIEvent => {
      child.error = message;
      return { type: 'SUBAGENT_ERROR', subagentRunId: id, message, ...(code !== undefined && { code }) };
    };
    let finished: Extract<AGUIEvent, { type: 'RUN_FINISHED' }> | undefined;
    const iterator = (await run)[Symbol.asyncIterator]();
    const aborted = new Promise<'aborted'>((resolve) => {
      signal?.addEventListener('abort', () => resolve('aborted'), { once: true });
    });
    try {
      for (;;) {
        if (signal?.aborted) return stopped;
        const next = await Promise.race([iterator.next(), aborted]);
        if (next === 'aborted') return stopped;
        if (next.done) break;
        const event = next.value as AGUIEvent;
        if (event.type === 'RUN_STARTED' || event.type === 'MESSAGES_SNAPSHOT') continue;
        if (event.type === 'RUN_FINISHED') {
          child.usage.push(...(Array.isArray(event.usage) ? event.usage : []));
          finished = event;
          continue;
        }
        if (event.type === 'RUN_ERROR') return failed(event.message || 'Subagent failed', event.code);
        const tagged = tag(event, id);
        if (tagged.type === 'TEXT_MESSAGE_CONTENT' && tagged.subagentRunId === id) child.text += tagged.delta;
        emit(tagged);
      }
    } catch (error) {
      return failed((error as Error).message);
    } finally {
      await iterator.return?.();
    }
    const outcome = finished?.outcome;
    if (outcome?.type === 'cancelled') return stopped;
    if (outcome?.type === 'interrupt') {
      child.interrupts = outcome.interrupts.map((interrupt) => ({ subagentRunId: id, ...interrupt }));
      const interruptIds = child.interrupts.filter((i) => i.subagentRunId === id).map((i) => i.id);
      return { type: 'SUBAGENT_FINISHED', subagentRunId: id, outcome: { type: 'suspended', interruptIds } };
    }
    child.result = finished?.result;
    const result = child.result === undefined ? {} : { result: child.result };
    return { type: 'SUBAGENT_FINISHED', subagentRunId: id, ...result };
  }
}

interface Child {
  id: string;
  text: string;
  interrupts: Interrupt[];
  usage: TokenUsage[];
  result?: unknown;
  error?: string;
}

/** A chunk without an owner gets the child; a nested child's start gets it for a parent. */
function tag(event: AGUIEvent, id: string): AGUIEvent {
  if (event.type === 'SUBAGENT_STARTED') return { parentSubagentRunId: id, ...event };
  if (event.type === 'SUBAGENT_FINISHED' || event.type === 'SUBAGENT_ERROR') return event;
  // Fields of the host's own, which its encoder leaves out.
  const { toolName: _name, input: _input, ...rest } = event as AGUIEvent & { toolName?: string; input?: unknown };
  return { subagentRunId: id, ...rest } as AGUIEvent;
}

/** A child's interrupts are bound to the run of the parent, which the client resumes. */
function rebound(interrupts: readonly Interrupt[], runId: string): Interrupt[] {
  const key = 'tanstack:interruptBinding';
  return interrupts.map((interrupt) => {
    const binding = interrupt.metadata?.[key];
    if (typeof binding !== 'object' || binding === null) return interrupt;
    const bound = { ...binding, interruptedRunId: runId, generation: 0 };
    return { ...interrupt, metadata: { ...interrupt.metadata, [key]: bound } };
  });
}

function withoutLongStrings(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST ? `[${value.length} characters left out]` : value;
  if (Array.isArray(value)) return value.map(withoutLongStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutLongStrings(member)]));
}
