// A child's text: text and nothing else, with what hides in it written out.
import { memo, useState } from 'react';
import { visibleParts } from '../cards/visible.js';
import { boundary } from '../whole-characters.js';
import { Button } from './button.js';
import { useLabels } from './labels.js';

/** Longer texts are shown in part, until a person asks for the rest. */
const SHOWN = 4000;

export interface ChildTextProps {
  text: string;
  /** Without line breaks. */
  oneLine?: boolean;
  /** Of a long text the end is shown: it is being written. */
  live?: boolean;
}

/** A text of a child's. */
export const ChildText = memo(function ChildText({ text, oneLine = false, live = false }: ChildTextProps) {
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= SHOWN) return <Visible text={text} oneLine={oneLine} />;
  const at = boundary(text, live ? text.length - SHOWN : SHOWN);
  const cut = live ? at : text.length - at;
  const more = (
    <Button
      kind="link"
      label={live ? '… {0} characters before' : '… {0} more characters'}
      values={[cut]}
      onPress={() => setWhole(true)}
    />
  );
  const shown = <Visible text={live ? text.slice(at) : text.slice(0, at)} oneLine={oneLine} />;
  return live ? (
    <>
      {more} {shown}
    </>
  ) : (
    <>
      {shown} {more}
    </>
  );
});

function Visible({ text, oneLine }: { text: string; oneLine: boolean }) {
  const say = useLabels();
  return visibleParts(text, oneLine).map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and no state
      <span key={at} className="sc-hidden" title={say('a character that would not be seen')}>
        {part.hidden}
      </span>
    ),
  );
}

/** A text of a child's among code: a name, a path. */
export function Mono({ text }: { text: string }) {
  return (
    <code className="sc-mono" dir="auto">
      <ChildText text={text} oneLine />
    </code>
  );
}
