// A child's text: text and nothing else, with what hides in it written out.
import { memo, useState } from 'react';
import { boundary } from '../cards/kept-text.js';
import { visibleParts } from '../cards/visible.js';
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
  return live ? (
    <>
      {more} <Visible text={text.slice(at)} oneLine={oneLine} />
    </>
  ) : (
    <>
      <Visible text={text.slice(0, at)} oneLine={oneLine} /> {more}
    </>
  );
});

function Visible({ text, oneLine }: { text: string; oneLine: boolean }) {
  const parts = visibleParts(text, oneLine);
  if (parts.length === 1 && typeof parts[0] === 'string') return parts[0];
  return parts.map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and no state
      <Hidden key={at} character={part.hidden} />
    ),
  );
}

function Hidden({ character }: { character: string }) {
  return (
    <span className="sc-hidden" title={useLabels()('a character that would not be seen')}>
      {character}
    </span>
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
