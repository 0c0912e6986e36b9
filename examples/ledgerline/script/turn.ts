// The form of a scripted model turn, and citations that are looked up in the fixture.
import { fixtureLines } from '../fixture.js';

/** One turn of a scripted model. */
export interface Turn {
  /**
   * What the conversation's tool results must contain for this turn to be served. A script can thus
   * only go on when the real tools have shown what its next turn says.
   */
  after?: string[];
  text?: string;
  /** Arguments, or a function that takes them from what the tools have shown: an id is known in the run only. */
  calls?: { name: string; args: object | ((seen: string) => object) }[];
}

/** The turns of one speaker, who is known by a phrase of the request's system prompt. */
export interface Script {
  speaker: string;
  /** A phrase that the last user message must contain, where one speaker has several scripts. */
  about?: string;
  /** One after the other; of several at one place, the one whose `after` fits is served. */
  turns: (Turn | Turn[])[];
}

/** `path:line` of the only line that contains `text`. Throws when the fixture no longer says it. */
export function cite(path: string, text: string): string {
  const lines = fixtureLines(path);
  const found = lines.flatMap((line, index) => (line.includes(text) ? [index + 1] : []));
  if (found.length !== 1) {
    throw new Error(`${path} has ${found.length} lines with ${JSON.stringify(text)}, a citation needs one`);
  }
  return `${path}:${found[0]}`;
}
