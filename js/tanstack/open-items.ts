// What one stream has opened and not yet closed, per owner: chat() and its adapters close some things twice and others never, and a strict AG-UI client refuses both.
import type { AGUIEvent } from '../ag-ui/events.js';

type ItemKind = 'text' | 'toolCall' | 'step' | 'reasoning' | 'reasoningMessage';

interface Item {
  kind: ItemKind;
  id: string;
  owner: string | undefined;
}

/** What an event does to the item it names. */
type Effect = { does: 'open' | 'continue' | 'close'; item: Item };

/** Follows open messages, tool calls, steps and reasoning, and the subagents that own them. */
export class OpenItems {
  // In opening order, so that closing goes from the inside out.
  #items = new Map<string, Item>();
  #subagents = new Set<string>();

  /** The events to send on for one event: itself, nothing (an orphan or a repeat), or what must be closed first and then itself. */
  admit(event: AGUIEvent): AGUIEvent[] {
    switch (event.type) {
      case 'SUBAGENT_STARTED':
        this.#subagents.add(event.subagentRunId);
        return [event];
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        this.#subagents.delete(event.subagentRunId);
        return [...this.#close((item) => item.owner === event.subagentRunId), event];
      default: {
        const effect = effectOf(event);
        return effect === undefined || this.#apply(effect) ? [event] : [];
      }
    }
  }

  /** Ends whatever is still open, subagents last; `reason` is what their SUBAGENT_ERROR says. */
  closeAll(reason: { message: string; code: string }): AGUIEvent[] {
    const events = this.#close(() => true);
    for (const subagentRunId of [...this.#subagents].reverse()) {
      events.push({ type: 'SUBAGENT_ERROR', subagentRunId, ...reason, timestamp: Date.now() });
    }
    this.#subagents.clear();
    return events;
  }

  #apply({ does, item }: Effect): boolean {
    const key = JSON.stringify([item.kind, item.owner ?? null, item.id]);
    const open = this.#items.has(key);
    if (does === 'open') {
      this.#items.set(key, item);
      return !open;
    }
    if (does === 'close') this.#items.delete(key);
    return open;
  }

  #close(which: (item: Item) => boolean): AGUIEvent[] {
    const events: AGUIEvent[] = [];
    for (const [key, item] of [...this.#items].reverse()) {
      if (!which(item)) continue;
      this.#items.delete(key);
      events.push(closing(item));
    }
    return events;
  }
}

function effectOf(event: AGUIEvent): Effect | undefined {
  const effect = (does: Effect['does'], kind: ItemKind, id: string): Effect => ({
    does,
    item: { kind, id, owner: 'subagentRunId' in event ? event.subagentRunId : undefined },
  });
  switch (event.type) {
    case 'TEXT_MESSAGE_START':
      return effect('open', 'text', event.messageId);
    case 'TEXT_MESSAGE_CONTENT':
      return effect('continue', 'text', event.messageId);
    case 'TEXT_MESSAGE_END':
      return effect('close', 'text', event.messageId);
    case 'TOOL_CALL_START':
      return effect('open', 'toolCall', event.toolCallId);
    case 'TOOL_CALL_ARGS':
      return effect('continue', 'toolCall', event.toolCallId);
    case 'TOOL_CALL_END':
      return effect('close', 'toolCall', event.toolCallId);
    case 'STEP_STARTED':
      return effect('open', 'step', event.stepName);
    case 'STEP_FINISHED':
      return effect('close', 'step', event.stepName);
    case 'REASONING_START':
      return effect('open', 'reasoning', event.messageId);
    case 'REASONING_END':
      return effect('close', 'reasoning', event.messageId);
    case 'REASONING_MESSAGE_START':
      return effect('open', 'reasoningMessage', event.messageId);
    case 'REASONING_MESSAGE_CONTENT':
      return effect('continue', 'reasoningMessage', event.messageId);
    case 'REASONING_MESSAGE_END':
      return effect('close', 'reasoningMessage', event.messageId);
    default:
      return undefined;
  }
}

function closing({ kind, id, owner }: Item): AGUIEvent {
  const fields = {
    timestamp: Date.now(),
    ...(owner === undefined ? {} : { subagentRunId: owner }),
  };
  switch (kind) {
    case 'text':
      return { type: 'TEXT_MESSAGE_END', messageId: id, ...fields };
    case 'toolCall':
      return { type: 'TOOL_CALL_END', toolCallId: id, ...fields };
    case 'step':
      return { type: 'STEP_FINISHED', stepName: id, ...fields };
    case 'reasoning':
      return { type: 'REASONING_END', messageId: id, ...fields };
    case 'reasoningMessage':
      return { type: 'REASONING_MESSAGE_END', messageId: id, ...fields };
  }
}
