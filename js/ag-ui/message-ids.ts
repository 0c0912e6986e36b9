// Keeps a message's id from naming two messages of different kinds.
import { bracketOf } from './brackets.js';
import type { AGUIEvent } from './events.js';

type Owner = string | undefined;
type MessageKind = 'text' | 'reasoning' | 'result' | 'activity';

/** What the message of an event is. */
const KINDS: { readonly [T in AGUIEvent['type']]?: MessageKind } = {
  TEXT_MESSAGE_START: 'text',
  TEXT_MESSAGE_CONTENT: 'text',
  TEXT_MESSAGE_END: 'text',
  TEXT_MESSAGE_CHUNK: 'text',
  REASONING_START: 'reasoning',
  REASONING_MESSAGE_START: 'reasoning',
  REASONING_MESSAGE_CONTENT: 'reasoning',
  REASONING_MESSAGE_END: 'reasoning',
  REASONING_MESSAGE_CHUNK: 'reasoning',
  REASONING_END: 'reasoning',
  TOOL_CALL_RESULT: 'result',
  ACTIVITY_SNAPSHOT: 'activity',
  ACTIVITY_DELTA: 'activity',
};

/** The message ids of one stream, in which each owner's ids are its own. */
export class MessageIds {
  readonly #named = new Map<string, { kind: MessageKind; owner: Owner }>();

  /** The event under a message id that names nothing of another kind; a call that is part of a text follows it. */
  settled(event: AGUIEvent): AGUIEvent {
    const kind = KINDS[event.type];
    const { messageId, parentMessageId, subagentRunId: owner } = event as Fields;
    if (kind !== undefined && messageId !== undefined) {
      const name = this.#nameOf(messageId, kind, owner);
      // Only what opens or goes on with something names it.
      if (bracketOf(event)?.phase !== 'end') this.#named.set(name, { kind, owner });
      if (name !== messageId) return { ...event, messageId: name } as AGUIEvent;
    }
    if (parentMessageId === undefined) return event;
    const name = this.#nameOf(parentMessageId, 'text', owner);
    return name === parentMessageId ? event : ({ ...event, parentMessageId: name } as AGUIEvent);
  }

  #nameOf(id: string, kind: MessageKind, owner: Owner): string {
    for (let name = id; ; name = `${name}:${kind}`) {
      const known = this.#named.get(name);
      // Under the id itself another owner's message was closed when the id was taken over.
      if (known === undefined || (known.kind === kind && (known.owner === owner || name === id))) return name;
    }
  }
}

interface Fields {
  messageId?: string;
  parentMessageId?: string;
  subagentRunId?: string;
}
