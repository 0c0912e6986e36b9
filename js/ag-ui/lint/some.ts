// A list of ids in a message, which may be of a million.

const SHOWN = 5;

/** The first few of a list, and how many more there are. */
export function some(ids: readonly string[]): string {
  const shown = ids.slice(0, SHOWN).map((id) => (id.length > 80 ? `${id.slice(0, 80)}…` : id));
  return ids.length > SHOWN ? `${shown.join(', ')} and ${ids.length - SHOWN} more` : shown.join(', ');
}
