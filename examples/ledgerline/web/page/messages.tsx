// The messages: what was said, and at each delegating call the card of the child that it started.
import type { UIMessage } from '@tanstack/ai-react';
import { memo, useEffect, useRef, useSyncExternalStore } from 'react';
import { type CardActions, SubagentCard, useCardStore, visibleText } from 'subcontract/react';

type Actions = Pick<CardActions, 'onResume' | 'onStop' | 'onTranscript' | 'onFollowUp'>;

export function Messages({ messages, ...actions }: { messages: UIMessage[] } & Actions) {
  const earlier = messages.filter(({ id }) => id.startsWith('earlier-'));
  const said = messages.filter(({ id }) => !id.startsWith('earlier-'));
  const question = said.findLast(({ role }) => role === 'user')?.id;
  const asked = useRef<HTMLElement>(null);
  // What was just asked goes to the top, so that the answer has the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another question is asked, and at no other time
  useEffect(() => {
    asked.current?.scrollIntoView({ block: 'start' });
  }, [question]);

  return (
    <div className="messages" role="log" aria-label="Conversation" aria-live="off">
      {earlier.length > 0 && (
        <details className="earlier">
          <summary>Earlier this morning: {earlier.length} messages, with the documents that were pasted in</summary>
          {earlier.map((message) => (
            <Message key={message.id} message={message} {...actions} />
          ))}
        </details>
      )}
      {said.length === 0 && (
        <p className="note">
          Nothing has been asked yet. What is asked below goes to an assistant that sends subagents; their cards appear
          here, side by side, while they work.
        </p>
      )}
      {said.map((message) => (
        <section key={message.id} ref={message.id === question ? asked : null} className="said">
          <Message message={message} {...actions} />
        </section>
      ))}
    </div>
  );
}

const Message = memo(function Message({ message, ...actions }: { message: UIMessage } & Actions) {
  const { role, parts } = message;
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
  const lastCall = parts.findLastIndex((part) => part.type === 'tool-call');
  return (
    <>
      <h2 className="who">{role === 'user' ? 'You' : 'Assistant'}</h2>
      {parts.map((part, index) => {
        if (part.type === 'text') {
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id, and are only ever added to
          return <Words key={index} role={role} text={part.content} />;
        }
        if (part.type === 'tool-call' && part.name === 'fetch_transcript_span') {
          return <Span key={part.id} args={part.arguments} output={part.output} />;
        }
        // Once for all of a turn's children, side by side.
        return index === lastCall ? <Cards key="cards" calls={calls} {...actions} /> : null;
      })}
    </>
  );
});

function Words({ role, text }: { role: string; text: string }) {
  if (text.trim() === '') return null;
  const paragraphs = text.split(/\n{2,}/);
  return (
    <div className={`words ${role}`}>
      {paragraphs.map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows
        <p key={index}>{visibleLines(paragraph)}</p>
      ))}
    </div>
  );
}

function Cards({ calls, ...actions }: { calls: string[] } & Actions) {
  const own = useCardsOf(calls);
  if (own.length === 0) return null;
  return (
    <ul className="cards" aria-label="Subagents">
      {own.map((id) => (
        <li key={id} data-card-id={id}>
          <SubagentCard id={id} headingLevel={3} {...actions} />
        </li>
      ))}
    </ul>
  );
}

/** The ids of the cards that tool calls started. Renders anew when one comes, and not when one changes: that it does itself. */
function useCardsOf(calls: string[]): string[] {
  const { subscribe, snapshot } = useCardStore();
  const own = useSyncExternalStore(subscribe, () =>
    snapshot()
      .cards.filter(({ parentToolCallId }) => parentToolCallId !== undefined && calls.includes(parentToolCallId))
      .map(({ id }) => id)
      .join(' '),
  );
  return own === '' ? [] : own.split(' ');
}

/** What the parent's model read of a child's transcript. */
function Span({ args, output }: { args: string; output: unknown }) {
  const span = parsed(typeof output === 'string' ? output : JSON.stringify(output ?? null));
  const asked = parsed(args);
  const shown = typeof span?.result === 'string' ? span.result : undefined;
  return (
    <details className="span">
      <summary>
        The assistant {shown === undefined ? 'reads' : 'read'} one tool call of a transcript:{' '}
        <code>{String(span?.tool ?? asked?.tool_call_id ?? '')}</code>
      </summary>
      {shown !== undefined && <pre>{visibleLines(shown)}</pre>}
    </details>
  );
}

/** A text whose lines are lines, and whose other invisible characters are written out. */
function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
