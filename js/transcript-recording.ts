// One child's events as the entries of its transcript.
import type { TranscriptCall, TranscriptText } from './transcript.js';

/** A text in an event: nothing where there is no such member, or it is no text. */
type ReadText = (name: string) => string | undefined;

/** What a child has done since its transcript was last saved. */
export class Recording {
  subagent: string | undefined;
  /** Whether the child's end was among them. */
  ended = false;
  readonly entries: (TranscriptCall | TranscriptText)[] = [];
  readonly #ref: string;
  /** The latest under each id; several entries may share one until they are saved. */
  readonly #calls = new Map<string, TranscriptCall>();
  readonly #texts = new Map<string, TranscriptText>();
  /** What a chunk without an id goes on with. */
  #lastCall: string | undefined;
  #lastText: string | undefined;

  constructor(ref: string) {
    this.#ref = ref;
  }

  /** Takes an event. One that lacks what its type needs says nothing. */
  add(member: (name: string) => unknown): void {
    const text: ReadText = (name) => {
      const value = member(name);
      return typeof value === 'string' ? value : undefined;
    };
    const type = text('type');
    switch (type) {
      case 'SUBAGENT_STARTED':
        this.subagent = text('name') ?? this.subagent;
        break;
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        this.ended = true;
        break;
      case 'TEXT_MESSAGE_START':
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_CHUNK':
        this.#addText(type, text);
        break;
      case 'TOOL_CALL_START':
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_CHUNK':
        this.#addCall(type, text);
        break;
      case 'TOOL_CALL_RESULT': {
        const id = text('toolCallId');
        if (id !== undefined) this.#call(id).result = textOf(member('content'));
        break;
      }
    }
  }

  #addText(type: string, text: ReadText): void {
    const chunk = type === 'TEXT_MESSAGE_CHUNK';
    const id = text('messageId') ?? (chunk ? this.#lastText : undefined);
    if (id === undefined) return;
    if (chunk) this.#lastText = id;
    if (type === 'TEXT_MESSAGE_START') this.#texts.delete(id);
    const delta = text('delta');
    if (delta) this.#text(id).text += delta;
  }

  #addCall(type: string, text: ReadText): void {
    const chunk = type === 'TOOL_CALL_CHUNK';
    const wireId = text('toolCallId') ?? (chunk ? this.#lastCall : undefined);
    if (wireId === undefined) return;
    if (chunk) this.#lastCall = wireId;
    const id = ownId(wireId, this.#ref);
    const name = text('toolCallName');
    // A child that is run again may count its calls, and its messages, from the start.
    const again = chunk ? Boolean(name) && this.#calls.get(id)?.result !== undefined : type === 'TOOL_CALL_START';
    if (again) this.#calls.delete(id);
    const call = this.#call(wireId);
    call.name = name ?? call.name;
    call.args += text('delta') ?? '';
  }

  #call(wireId: string): TranscriptCall {
    const id = ownId(wireId, this.#ref);
    let call = this.#calls.get(id);
    if (call === undefined) {
      call = { type: 'call', id, name: '', args: '' };
      this.#calls.set(id, call);
      this.entries.push(call);
    }
    return call;
  }

  #text(id: string): TranscriptText {
    let text = this.#texts.get(id);
    if (text === undefined) {
      text = { type: 'text', text: '' };
      this.#texts.set(id, text);
      this.entries.push(text);
    }
    return text;
  }
}

/** A child's call by the id that its model gave it: on the wire it is made its own with the child's in front. */
export function ownId(wireId: string, ref: string): string {
  return wireId.startsWith(`${ref}:`) ? wireId.slice(ref.length + 1) : wireId;
}

/** A result's text; content parts that are no text are named by their type, and what JSON cannot write by what it is. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  try {
    if (!Array.isArray(content)) return JSON.stringify(content) ?? '';
    return content
      .map((part: { type?: unknown; text?: unknown } | null | undefined) =>
        typeof part?.text === 'string' ? part.text : `[${String(part?.type)}]`,
      )
      .join('\n');
  } catch {
    return `[${typeof content}]`;
  }
}
