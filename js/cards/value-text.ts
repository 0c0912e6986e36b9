// A value of any kind as text. It comes over a wire: it can be nested deeper than it can be written.

const TOO_DEEP = '(nested too deeply to be shown)';

/** A text as it is, anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** JSON text, indented by so many spaces if any. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? '';
  } catch {
    return TOO_DEEP;
  }
}
