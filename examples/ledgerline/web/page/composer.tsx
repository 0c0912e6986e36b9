// What to say next: the scripted model's one question, or a text of one's own.
import { type FormEvent, useState } from 'react';
import { useSubagentCards } from 'subcontract/react';
import type { About } from './server.js';

export interface ComposerProps {
  about: About;
  busy: boolean;
  /** Whether the server is out of reach. */
  lost: boolean;
  /** Whether the question has been asked. */
  asked: boolean;
  onSend(text: string): void;
  /** Asks the last question again. */
  onRetry(): void;
  onStop(): void;
}

export function Composer({ about, busy, lost, asked, onSend, onRetry, onStop }: ComposerProps) {
  const { cards } = useSubagentCards();
  const waiting = cards.find(({ status }) => status === 'suspended');
  return (
    <footer className="composer">
      {lost ? (
        <p>There is nobody to ask until the page is connected again.</p>
      ) : busy ? (
        <>
          <p>The assistant is at work.</p>
          <button type="button" onClick={onStop}>
            Stop all
          </button>
        </>
      ) : waiting ? (
        <>
          <p>{waiting.agent} waits for your answer.</p>
          <button type="button" className="primary" onClick={() => show(waiting.id)}>
            Show it
          </button>
        </>
      ) : about.scripted ? (
        <Scripted about={about} asked={asked} onSend={onSend} onRetry={onRetry} />
      ) : (
        <Free about={about} onSend={onSend} />
      )}
    </footer>
  );
}

function Scripted({ about, asked, onSend, onRetry }: Pick<ComposerProps, 'about' | 'asked' | 'onSend' | 'onRetry'>) {
  if (asked) {
    return (
      <>
        <p>The scripted model can be asked one question. With a key on the server, ask your own.</p>
        <button type="button" onClick={onRetry}>
          Ask again
        </button>
      </>
    );
  }
  return (
    <>
      <blockquote>{about.question}</blockquote>
      <button type="button" className="primary" onClick={() => onSend(about.question)}>
        Ask
      </button>
    </>
  );
}

function Free({ about, onSend }: Pick<ComposerProps, 'about' | 'onSend'>) {
  const [text, setText] = useState(about.question);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    onSend(text);
    setText('');
  };
  return (
    <form onSubmit={submit}>
      <textarea aria-label="Your message" rows={3} value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit" className="primary">
        Send
      </button>
    </form>
  );
}

function show(id: string): void {
  const card = document.querySelector(`[data-card-id="${CSS.escape(id)}"]`);
  card?.scrollIntoView({ block: 'center' });
  card?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
}
