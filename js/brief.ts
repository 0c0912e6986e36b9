// The brief: its exact text, and what the agent's `inputSchema` says of it.
import { readBrief } from './contract.js';
import { briefFeedback, digestOf, type Rejection } from './core.js';
import type { SubcontractAgent } from './define-agent.js';
import { BriefError, firstIssue } from './errors.js';
import { toJsonText } from './json-text.js';

/** A brief that the child may start on. */
export interface Brief {
  /** `ctx.input`. */
  input: unknown;
  /** The exact text; null when there was none. */
  text: string | null;
}

/** A refused brief carries what the parent's model reads about it. */
export class RefusedBrief extends BriefError {
  override name = 'BriefError';
  /** The tool result for the parent's model. */
  readonly feedback: string;

  constructor(agentName: string, rejection: Rejection) {
    const { issues } = rejection;
    const why = firstIssue(issues);
    super(`the brief for ${agentName} was refused (${rejection.code})${why}`, { code: 'brief_rejected', issues });
    this.feedback = briefFeedback(agentName, rejection);
  }
}

/**
 * The text of a brief: a string is JSON text already, anything else is written as JSON; `undefined` is no brief.
 *
 * Throws a {@link RefusedBrief} for a value that JSON cannot carry.
 */
export function briefText(agentName: string, brief: unknown): string | undefined {
  if (typeof brief === 'string' || brief === undefined) return brief;
  const json = toJsonText(brief);
  if (json.ok) return json.text;
  const { instancePath, message } = json;
  const issue = { instancePath, schemaPath: '', keyword: 'invalid_json', params: {}, message };
  throw new RefusedBrief(agentName, { ok: false, code: 'invalid_json', issues: [issue], flags: [] });
}

/** Checks a brief. Throws a {@link RefusedBrief}, and the child does not start. */
export async function acceptBrief(agent: SubcontractAgent, given: string | undefined): Promise<Brief> {
  const contract = agent.inputContract;
  if (!contract) return { input: undefined, text: given === undefined ? null : keptText(agent, given) };
  const verdict = await readBrief(contract, given ?? '');
  if (!verdict.ok) throw new RefusedBrief(agent.name, verdict);
  return { input: verdict.input, text: verdict.text };
}

/**
 * A brief's text as resume state keeps it. Without a schema nothing is asked of a brief, not even that it is JSON; what
 * the core does not read as JSON is kept as a JSON string.
 */
export function keptText(agent: SubcontractAgent, text: string): string {
  if (agent.inputContract) return text;
  try {
    digestOf(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
