// What a parent's model reads of a return, within a token budget: caveats are the last thing to go.
import { call } from './boundary.js';
import { type Contract, isContract } from './contract.js';
import { SubcontractError } from './errors.js';
import { recordText, wellFormedJson } from './json-text.js';
import { spelled } from './misuse.js';

/** How a return is rendered. */
export interface RenderOptions {
  /** The most tokens that the text may have. */
  maxTokens: number;
  /** The tokenizer that counts. Default: the package's own estimate. It is called a few times, on whole texts. */
  countTokens?: ((text: string) => number) | undefined;
  /** What the value is. Default: told by its members, which a child's result of an open contract may imitate. */
  kind?: 'result' | 'envelope' | 'merged' | undefined;
  /** The contract of the result: fields come in its order, and those with `"x-render": "keep"` are never dropped. */
  contract?: Contract | undefined;
  /** Gives findings, assumptions and open questions ids (`f1`, `a1`, `u1`) for {@link slotUse}. Default: false. */
  markers?: boolean | undefined;
}

/** A return as its parent's model reads it; or how many tokens what must not be dropped takes, when that is too much. */
export type Rendering =
  | {
      text: string;
      /** What the counter made of it. */
      tokens: number;
      /** How many findings are there without their provenance, and how many other fields and findings are not there. */
      dropped: { provenance: number; fields: number; findings: number };
    }
  | { overBudget: number };

/**
 * Renders a result, an envelope or a merged record for the parent's model. A string is the JSON text of one of them.
 *
 * Every line starts with what it is, and a child's text stands in it as a JSON string, so that it cannot end its line or look
 * like another one. Over the budget go what was searched and effort, then provenance, then other fields, then findings, verified
 * ones last, and a line says how many; never an assumption, an open question or a gap.
 *
 * @throws SubcontractError `unreadable_record` when the value is not what it is said to be, `invalid_options`.
 */
export function renderForParent(value: unknown, options: RenderOptions): Rendering {
  const { maxTokens, countTokens, contract, kind, markers } = options;
  if (typeof maxTokens !== 'number' || !(maxTokens >= 0)) {
    throw new RangeError(`maxTokens must be a number of tokens, not ${spelled(maxTokens)}`);
  }
  if (contract !== undefined && !isContract(contract)) throw new TypeError('contract must be made by compileContract');
  const text = recordText(value ?? null, 'the record', 'unreadable_record');
  const limit = Math.min(Math.floor(maxTokens), Number.MAX_SAFE_INTEGER);
  const wire = wellFormedJson({ maxTokens: limit, kind, markers });
  const counter = countTokens && new Counter(countTokens);
  try {
    const json =
      contract === undefined
        ? call((core) => core.render(text, wire, counter))
        : contract.handle.render(text, wire, counter);
    return JSON.parse(json) as Rendering;
  } catch (error) {
    if (counter?.failure !== undefined && error instanceof SubcontractError && error.code === 'counter_failed') {
      throw counter.failure.error;
    }
    throw error;
  }
}

/** A host's tokenizer as the core calls it: what it throws is kept, for the core passes on only that it threw. */
class Counter {
  failure: { error: unknown } | undefined;

  constructor(private readonly countTokens: (text: string) => number) {}

  count(text: string): number {
    try {
      const { countTokens } = this;
      const tokens = countTokens(text);
      if (typeof tokens === 'number' && tokens >= 0) return Math.min(Math.ceil(tokens), 0xffffffff);
      throw new RangeError(`countTokens must give a number of tokens, not ${spelled(tokens)}`);
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }
}
