// What the parent's model reads as the result of a delegating call: the envelope's part for it, as JSON or rendered.
import type { Contract } from './contract.js';
import { envelopeForModel } from './envelope.js';
import { renderForParent } from './render.js';

/**
 * `'json'`: the model's part of the envelope as `envelopeForModel` gives it. `'render'`: the lines of `renderForParent`, within 2,000
 * tokens by the package's estimate; with an object within as many as it says. What must not be dropped is there in either case,
 * whatever it takes.
 */
export type Present = 'json' | 'render' | PresentBudget;

/** A budget to render within. */
export interface PresentBudget {
  /** The most tokens that the text may have. */
  maxTokens: number;
  /** The tokenizer that counts. Default: the package's own estimate. */
  countTokens?(text: string): number;
}

const DEFAULT_BUDGET = 2000;

/** Throws a `TypeError` for what is no way to present an envelope. */
export function assertPresent(present: Present | undefined): void {
  if (present === undefined || present === 'json' || present === 'render') return;
  const { maxTokens, countTokens } = (present ?? {}) as { maxTokens?: unknown; countTokens?: unknown };
  const counts = countTokens === undefined || typeof countTokens === 'function';
  if (typeof maxTokens !== 'number' || !(maxTokens >= 0) || !counts) {
    throw new TypeError("present must be 'json', 'render' or { maxTokens, countTokens? }");
  }
}

/** The text for the parent's model. */
export function presented(envelopeText: string, present: Present | undefined, contract: Contract | undefined): string {
  if (present === undefined || present === 'json') return envelopeForModel(envelopeText);
  const { maxTokens, countTokens } = present === 'render' ? { maxTokens: DEFAULT_BUDGET } : present;
  const render = (limit: number) =>
    renderForParent(envelopeText, { kind: 'envelope', maxTokens: limit, countTokens, contract });
  try {
    let rendering = render(maxTokens);
    // Its caveats alone take more: they come all the same, and nothing else does.
    if ('overBudget' in rendering) rendering = render(rendering.overBudget);
    if ('text' in rendering) return rendering.text;
  } catch {
    // A tokenizer that fails costs the child nothing of its result.
  }
  return envelopeForModel(envelopeText);
}
