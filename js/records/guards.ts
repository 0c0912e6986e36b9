// The guards of research records, which the core runs, and what can be made of any guard.
import type { Guard, GuardCheck } from '../guards.js';

/** A guard that takes any result. */
interface GuardInCore {
  readonly name: string;
  readonly check: GuardCheck<unknown>;
}

function inCore(name: string): GuardInCore {
  return Object.freeze<GuardInCore>({
    name,
    check: (_result, evidence, { contract, text }) => contract.handle.guard(name, text, evidence),
  });
}

/** No findings and nothing unresolved: it probably stopped early. Degrades, and amends `/effort/budget_exhausted` to true. */
const emptyMeansExhausted = /* @__PURE__ */ inCore('empty-means-exhausted');

/** A finding whose `confidence` is `verified` and whose `provenance` says nothing degrades the result. */
const verifiedNeedsProvenance = /* @__PURE__ */ inCore('verified-needs-provenance');

/** Placeholders (`TODO`, `<your source here>`), the schema's own words, or texts that say nothing in most slots degrade the result. */
const placeholderReturn = /* @__PURE__ */ inCore('placeholder-return');

/**
 * A finding that cites files, pages or columns of which no tool call of this run touched one degrades the result. What cannot be
 * looked for in tool calls, such as a person's name, counts for nothing on either side.
 */
const unseenProvenance = /* @__PURE__ */ inCore('unseen-provenance');

/** A child that says of itself that it ran out of budget degrades the result. */
const declaredExhausted = /* @__PURE__ */ inCore('declared-exhausted');

/** The guard under the same name, rejecting where it would degrade: the child is asked to mend it. */
function rejecting<Result>(guard: Guard<Result>): Guard<Result> {
  const check = typeof guard === 'function' ? guard : guard.check;
  return {
    name: guard.name,
    async check(result, evidence, context) {
      const findings = await check(result, evidence, context);
      return findings.map((finding) => (finding.action === 'degrade' ? { ...finding, action: 'reject' } : finding));
    },
  };
}

/**
 * Guards for research results, to put into an agent's `guards`. They read the fields of `researchResult` wherever a contract
 * has them, and say nothing about a result that does not.
 */
export const guards = /* @__PURE__ */ Object.freeze({
  emptyMeansExhausted,
  verifiedNeedsProvenance,
  placeholderReturn,
  unseenProvenance,
  declaredExhausted,
  /** The guard under the same name, rejecting where it would degrade. */
  rejecting,
  /** All of them, in an order in which none hides another. */
  research: /* @__PURE__ */ Object.freeze([
    verifiedNeedsProvenance,
    placeholderReturn,
    unseenProvenance,
    declaredExhausted,
    emptyMeansExhausted,
  ]) as readonly GuardInCore[],
});
