// The rule of results: what a subagent returns satisfies its contract.
import { type Rule, rule } from '../rule.js';
import { problemOf, type SchemaCheck } from './resume.js';

/** What a subagent's returns must satisfy: a compiled contract, or anything that checks values. */
export interface ResultContract extends SchemaCheck {
  /** Of its schema: an envelope that names another one was judged by a contract of its own. */
  readonly digest?: string;
}

/** The rule, for the contracts that are known. */
export function resultRule(contracts: ReadonlyMap<string, ResultContract>): Rule {
  return rule(
    {
      id: 'result-breaks-contract',
      page: 'events/subagents',
      sentence: "The result of a subagent that succeeded satisfies the subagent's contract.",
    },
    ['SUBAGENT_FINISHED'],
    ({ subagentRunId, result, outcome }, { run }, report) => {
      const subagent = run?.subagents.get(subagentRunId);
      const contract = subagent && contracts.get(subagent.name);
      if (!contract || outcome?.type === 'suspended') return;
      const returned = returnedIn(result, contract.digest);
      if (!returned) return;
      const problem = problemOf(() => contract.checkValue(returned.value));
      if (problem) report(`${subagentRunId} (${subagent.name}): ${problem}`);
    },
  );
}

/** The return in a result, which may be an envelope; none where another contract judged it. */
function returnedIn(result: unknown, digest: string | undefined): { value: unknown } | undefined {
  if (typeof result !== 'object' || result === null || !('final_result' in result)) return { value: result ?? null };
  const { final_result: value, status, contract } = result as Record<string, unknown>;
  if (status !== undefined && status !== 'completed') return undefined;
  const judgedBy = (contract as { digest?: unknown } | null | undefined)?.digest;
  if (digest !== undefined && judgedBy !== undefined && judgedBy !== digest) return undefined;
  return { value };
}
