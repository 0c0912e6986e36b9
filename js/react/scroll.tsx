// What is taller than its place: it scrolls, by keyboard as well.
import type { ReactNode } from 'react';

interface ScrollProps {
  className: string;
  label: string;
  /** Of a text; a record's texts have each their own. */
  dir?: 'auto';
  children: ReactNode;
}

/** A stretch of a card whose height is limited. */
export function Scroll({ className, label, dir, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to take the focus
    // biome-ignore lint/a11y/useSemanticElements: it holds no form
    <div className={className} dir={dir} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
