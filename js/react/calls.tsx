// A child's tool calls, as they happen; their span of the transcript when a person asks for it.
import { memo, useState } from 'react';
import type { CardText, CardToolCall } from '../cards/card.js';
import { keepStart } from '../cards/kept-text.js';
import { valueText } from '../cards/value-text.js';
import { type TranscriptSpan, useActing } from './actions.js';
import { Button } from './button.js';
import { useKeptFocus } from './kept-focus.js';
import { type CardLabel, useLabels } from './labels.js';
import { Scroll } from './scroll.js';
import { ChildText } from './text.js';

const STATES = {
  writing: 'being written',
  running: 'running',
  waiting: 'waiting for an answer',
  done: 'done',
  unfinished: 'unfinished',
} as const;

/** The tool calls. */
export const ToolCalls = memo(function ToolCalls({
  calls,
  omitted,
}: {
  calls: readonly CardToolCall[];
  omitted: number;
}) {
  const say = useLabels();
  if (calls.length === 0) return null;
  return (
    <div className="sc-slot">
      <p className="sc-label">
        {say('Tool calls')} <span className="sc-count">{calls.length + omitted}</span>
      </p>
      {omitted > 0 && <p className="sc-aside">{say('{0} earlier ones are not kept', omitted)}</p>}
      <ul className="sc-calls">
        {calls.map((call) => (
          <li key={call.id} className="sc-call" data-state={call.status}>
            <Call call={call} />
          </li>
        ))}
      </ul>
    </div>
  );
});

const Call = memo(function Call({ call }: { call: CardToolCall }) {
  const { name, status, args, result } = call;
  const say = useLabels();
  return (
    <details className="sc-details">
      <summary>
        <span className="sc-dot" aria-hidden="true" />
        <span className="sc-mono sc-tool">
          <ChildText text={name} oneLine />
        </span>{' '}
        <span className="sc-mono sc-args" dir="auto">
          <ChildText text={keepStart(args.text, 200).text} oneLine />
        </span>{' '}
        <span className="sc-vh">{say(STATES[status])}</span>
      </summary>
      <Kept title="Arguments" text={args} />
      {result && <Kept title="Result" text={result} />}
      <Span id={call.id} />
    </details>
  );
});

const Kept = memo(function Kept({ title, text }: { title: CardLabel; text: CardText }) {
  const say = useLabels();
  if (text.text === '' && text.omitted === 0) return null;
  return (
    <>
      <p className="sc-key">{say(title)}</p>
      <Scroll className="sc-pre" dir="auto" label={say(title)}>
        <ChildText text={text.text} />
        {text.omitted > 0 && ` ${say('… {0} characters are not kept', text.omitted)}`}
      </Scroll>
    </>
  );
});

/** A call as the transcript has it. */
function Span({ id }: { id: string }) {
  const { transcript } = useActing();
  const [state, setState] = useState<'idle' | 'loading' | TranscriptSpan>('idle');
  const keptFocus = useKeptFocus<HTMLDivElement>();
  if (transcript === undefined) return null;
  const loading = state === 'loading';
  const load = () => {
    if (loading) return;
    setState('loading');
    transcript(id).then(setState, () => setState({ error: 'the transcript cannot be read' }));
  };
  return (
    <div className="sc-span" {...keptFocus}>
      {typeof state === 'string' ? (
        <Button label={loading ? 'Reading…' : 'Transcript'} onPress={load} busy={loading} />
      ) : (
        <Read span={state} />
      )}
    </div>
  );
}

function Read({ span: { args, result, cut, error } }: { span: TranscriptSpan }) {
  const say = useLabels();
  if (error !== undefined) return <p className="sc-aside">{say('No transcript: {0}', valueText(error))}</p>;
  return (
    <>
      {cut !== undefined && <p className="sc-aside">{say('Cut {0}', valueText(cut))}</p>}
      {typeof args === 'string' && <Kept title="Arguments in the transcript" text={{ text: args, omitted: 0 }} />}
      {typeof result === 'string' && <Kept title="Result in the transcript" text={{ text: result, omitted: 0 }} />}
    </>
  );
}
