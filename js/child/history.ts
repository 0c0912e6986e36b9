// The child's own messages, folded from its own events.
import type { AGUIEvent, ContentPart, Metadata, ToolCall } from '../ag-ui/events.js';
import type { Return } from '../gate.js';
import type { ToolCallEvidence } from '../guards.js';
import { parsedJson } from '../json-text.js';

/** A message of the child's own history, in the form model hosts take (TanStack's `ModelMessage`, OpenAI's words). */
export type HistoryMessage =
  | { role: 'assistant'; content: string | null; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string }
  | { role: 'user'; content: string };

type AssistantMessage = Extract<HistoryMessage, { role: 'assistant' }>;

/**
 * What the child said, called and was answered, as messages to start it with again.
 *
 * Events of the child's own subagents are not part of it: the result of the call that delegated is.
 */
export class History {
  readonly #messages: HistoryMessage[];
  readonly #texts = new Map<string, AssistantMessage>();
  readonly #calls = new Map<string, ToolCall>();
  readonly #open = new Set<string>();
  readonly #called: string[] = [];
  readonly #judged = new Set<HistoryMessage>();
  #size = 0;
  /** The text of a message from the last call on. */
  #final: { message: AssistantMessage; text: string } | undefined;

  /** A history that goes on from `messages`. */
  constructor(messages: readonly HistoryMessage[] = []) {
    this.#messages = structuredClone([...messages]);
    for (const [index, message] of this.#messages.entries()) {
      if (message.role !== 'assistant') continue;
      // What feedback answers was a return, or the lack of one.
      if (this.#messages[index + 1]?.role === 'user') this.#judged.add(message);
      for (const call of message.toolCalls ?? []) this.#note(call);
    }
  }

  /** The messages so far, as a copy. */
  messages(): HistoryMessage[] {
    return structuredClone(this.#messages);
  }

  /** The tool calls that have no result yet. */
  pendingToolCalls(): string[] {
    const answered = new Set(this.#messages.map((m) => (m.role === 'tool' ? m.toolCallId : undefined)));
    return [...this.#calls.keys()].filter((id) => !answered.has(id));
  }

  /** How many tool calls the child made, but for those of the tool called `except`. */
  countToolCalls(except: string | undefined): number {
    return this.#called.filter((name) => name !== except).length;
  }

  /** The child's tool calls and their results, but for those of the tool called `except`. */
  toolCalls(except: string | undefined): ToolCallEvidence[] {
    const results = new Map(this.#messages.flatMap((m) => (m.role === 'tool' ? [[m.toolCallId, m.content]] : [])));
    return this.#messages
      .flatMap((m) => (m.role === 'assistant' ? (m.toolCalls ?? []) : []))
      .filter((call) => call.function.name !== except)
      .map(({ id, function: { name, arguments: args } }) => {
        const result = results.get(id);
        return { id, name, args, ...(result !== undefined && { result }) };
      });
  }

  /**
   * The exact argument text of the latest call with this id. A host may run a tool before its events were read: of a call
   * that has not ended, a text that is no JSON yet is nothing.
   */
  argumentsOf(toolCallId: string): string | undefined {
    const text = this.#calls.get(toolCallId)?.function.arguments;
    return text !== undefined && this.#open.has(toolCallId) && parsedJson(text) === undefined ? undefined : text;
  }

  /** The argument text of a call so far, whether it has ended or not. */
  soFar(toolCallId: string): string {
    return this.#calls.get(toolCallId)?.function.arguments ?? '';
  }

  /** A return that had not come to its end: the last call of the return tool that nobody answered, else this run's answer. */
  inFlight(returnTool: string): Pick<Return, 'raw' | 'via'> | undefined {
    const open = this.pendingToolCalls().findLast((id) => this.#calls.get(id)?.function.name === returnTool);
    if (open !== undefined) return { raw: this.soFar(open), via: 'return_tool' };
    return this.#final && { raw: this.#final.text, via: 'text' };
  }

  /** About how many characters the child has written, each message and call with something for itself. */
  get size(): number {
    return this.#size;
  }

  /** This run's answer: the last text after its last tool call. Text between tool calls is none. */
  get finalText(): string | undefined {
    return this.#final?.text;
  }

  /**
   * The child's last words: its last text that is no return, neither one that went to the gate nor one that could, be it cut
   * or with prose around it. `holdsReturn` says so of a text.
   */
  lastText(holdsReturn: (text: string) => boolean): string | undefined {
    const last = this.#messages.findLast(
      (m) =>
        m.role === 'assistant' &&
        m.content &&
        !this.#judged.has(m) &&
        !isRecordText(m.content) &&
        !holdsReturn(m.content),
    );
    return last?.content ?? undefined;
  }

  /** This run's final text goes to the gate as the return: it is no longer a word beside it. */
  judgeFinalText(): void {
    if (this.#final) this.#judged.add(this.#final.message);
  }

  /** Another run begins: it has no final text yet. */
  beginRun(): void {
    this.#final = undefined;
    this.#texts.clear();
  }

  /** Folds in one of the child's own events, as the stream mender let it through. */
  add(event: AGUIEvent): void {
    switch (event.type) {
      case 'TEXT_MESSAGE_START':
        // An id used again is another message.
        this.#texts.delete(event.messageId);
        return;
      case 'TEXT_MESSAGE_CONTENT':
        this.#text(event.messageId, event.delta);
        return;
      case 'TOOL_CALL_START': {
        this.#final = undefined;
        const call: ToolCall = {
          id: event.toolCallId,
          type: 'function',
          function: { name: event.toolCallName, arguments: '' },
          ...jsonMetadata(event.metadata),
        };
        this.#note(call);
        this.#open.add(call.id);
        const last = this.#messages.at(-1);
        if (last?.role === 'assistant') {
          last.toolCalls ??= [];
          last.toolCalls.push(call);
        } else this.#messages.push({ role: 'assistant', content: null, toolCalls: [call] });
        return;
      }
      case 'TOOL_CALL_ARGS': {
        const call = this.#calls.get(event.toolCallId);
        if (call && this.#open.has(call.id)) {
          call.function.arguments += event.delta;
          this.#size += event.delta.length;
        }
        return;
      }
      case 'TOOL_CALL_END': {
        const call = this.#calls.get(event.toolCallId);
        // Some hosts send no argument deltas, but the parsed arguments with the end.
        if (call?.function.arguments === '') call.function.arguments = parsedInput(event);
        this.#open.delete(event.toolCallId);
        return;
      }
      case 'TOOL_CALL_RESULT':
        this.#open.delete(event.toolCallId);
        this.#result(event.toolCallId, contentText(event.content));
        return;
      default:
    }
  }

  /** Adds an assistant message whole: what `run` resolved to. */
  addText(text: string): void {
    const message: AssistantMessage = { role: 'assistant', content: text };
    this.#messages.push(message);
    this.#size += text.length;
    this.#final = { message, text };
  }

  /** Adds feedback as a user message. Calls nobody answered are dropped first, and returned: a provider refuses them. */
  addFeedback(feedback: string): Iterable<string> {
    const pending = new Set(this.pendingToolCalls());
    for (const id of pending) this.#calls.delete(id);
    const kept: HistoryMessage[] = [];
    for (const message of this.#messages) {
      if (message.role === 'assistant' && message.toolCalls) {
        const calls = message.toolCalls.filter((call) => !pending.has(call.id));
        if (calls.length > 0) message.toolCalls = calls;
        else delete message.toolCalls;
        if (calls.length === 0 && !message.content) continue;
      }
      kept.push(message);
    }
    this.#messages.splice(0, this.#messages.length, ...kept, { role: 'user', content: feedback });
    return pending;
  }

  #text(messageId: string, delta: string): void {
    let message = this.#texts.get(messageId);
    if (!message) {
      message = this.#messageForText();
      this.#texts.set(messageId, message);
    }
    message.content = (message.content ?? '') + delta;
    this.#size += delta.length;
    if (this.#final?.message === message) this.#final.text += delta;
    else this.#final = { message, text: delta };
  }

  /** Text beside calls that have no answer yet takes them over: nothing may stand between a call and its result. */
  #messageForText(): AssistantMessage {
    const last = this.#messages.at(-1);
    const beside = last?.role === 'assistant' && last.toolCalls ? last : undefined;
    if (beside && !beside.content) return beside;
    this.#size += ENTRY;
    const message: AssistantMessage = { role: 'assistant', content: '' };
    if (beside?.toolCalls) {
      message.toolCalls = beside.toolCalls;
      delete beside.toolCalls;
    }
    this.#messages.push(message);
    return message;
  }

  #note(call: ToolCall): void {
    const { name, arguments: args } = call.function;
    this.#size += ENTRY + call.id.length + name.length + args.length;
    this.#calls.set(call.id, call);
    this.#called.push(call.function.name);
  }

  #result(toolCallId: string, content: string): void {
    const index = this.#messages.findLastIndex(
      (m) => m.role === 'assistant' && m.toolCalls?.some((c) => c.id === toolCallId),
    );
    // A result to a call nobody made: a provider would refuse the history.
    if (index < 0) return;
    const earlier = this.#messages.findIndex((m, i) => i > index && m.role === 'tool' && m.toolCallId === toolCallId);
    if (earlier >= 0) this.#messages.splice(earlier, 1);
    this.#size += ENTRY + content.length;
    this.#messages.push({ role: 'tool', toolCallId, content });
  }
}

/** What a message or a call counts for beside its text. */
const ENTRY = 256;

function contentText(content: string | ContentPart[]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('');
}

/**
 * Whether a text is a JSON object or array, or begins as one. What the gate did not accept must not reach the parent as words,
 * either.
 */
function isRecordText(text: string): boolean {
  return (
    /^\s*(?:```\w*\s*)?(?:\{\s*["}]|\[\s*[[{"\]])/.test(text) ||
    (/^\s*[[{]/.test(text) && parsedJson(text) !== undefined)
  );
}

function parsedInput(event: AGUIEvent): string {
  try {
    return JSON.stringify((event as { input?: unknown }).input) ?? '';
  } catch {
    return '';
  }
}

/** Providers keep things in a call's metadata that they want back; what is no JSON cannot be kept. */
function jsonMetadata(metadata: Metadata | undefined): { metadata?: Metadata } {
  if (metadata === undefined) return {};
  try {
    return { metadata: JSON.parse(JSON.stringify(metadata)) };
  } catch {
    return {};
  }
}
