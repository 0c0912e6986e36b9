// What a person presses.
import type { ReactNode } from 'react';
import { type CardLabel, Label } from './labels.js';

interface ButtonProps {
  label: CardLabel;
  values?: readonly number[];
  kind?: 'primary' | 'danger' | 'stop' | 'link';
  /** Whether what it starts is under way. */
  busy?: boolean;
  /** Without it the button sends the form around it. */
  onPress?: () => void;
  children?: ReactNode;
}

/** A button, with its label and what follows that. */
export function Button({ label, values, kind, busy, onPress, children }: ButtonProps) {
  return (
    <button
      type={onPress ? 'button' : 'submit'}
      className={kind === 'link' ? 'sc-link' : 'sc-button'}
      data-kind={kind}
      aria-disabled={busy}
      onClick={onPress}
    >
      <Label text={label} values={values} />
      {children}
    </button>
  );
}
