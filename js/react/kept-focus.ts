// The keyboard's place: what a person pressed may go, and the focus must not go to the top of the page with it.
import { type FocusEvent, useEffect, useRef } from 'react';

/** What an element takes so that the focus stays in it: when what has it is taken away, the element itself gets it. */
export function useKeptFocus<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  const inside = useRef(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || !inside.current) return;
    const { activeElement, body } = element.ownerDocument;
    if (activeElement === null || activeElement === body) element.focus({ preventScroll: true });
  });
  // React is silent about the blur of what it takes away, so that one is not heard here.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    inside.current = ref.current?.contains(relatedTarget as Node | null) ?? false;
  };
  const onFocus = () => {
    inside.current = true;
  };
  return { ref, tabIndex: -1, onFocus, onBlur };
}
