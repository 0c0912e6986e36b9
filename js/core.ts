// What the compiled core decides, as typed functions: data in, data out.
import { ask, askIn, assertString, call, withInput } from './boundary.js';
import type { EnvelopeParts } from './envelope.js';
import { escapeLoneSurrogates, wellFormedJson } from './json-text.js';
import type { Limits } from './limits.js';
import { type ResumeState, readState } from './resume.js';
import { refusing } from './sealed-token.js';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Any JSON value, to be read only. */
export type ReadonlyJson =
  | null
  | boolean
  | number
  | string
  | readonly ReadonlyJson[]
  | { readonly [name: string]: ReadonlyJson };

/** One violation of a contract. */
export interface Issue {
  /** RFC 6901 pointer into the judged value; a missing property is reported at the object that lacks it. */
  instancePath: string;
  /** Pointer to the keyword in the schema, references followed. */
  schemaPath: string;
  /** The keyword of JSON Schema that failed, or what else was checked. */
  keyword: string;
  /** What the keyword wanted and found, under Ajv's names where Ajv has them. */
  params: Record<string, unknown>;
  /** One line: lower case, no final period. */
  message: string;
}

/** Why a return was not accepted. */
export type VerdictCode =
  | 'invalid_json'
  | 'truncated'
  | 'ambiguous'
  | 'schema_violation'
  | 'refinement_failed'
  | 'too_large'
  | 'too_deep'
  | 'too_complex'
  | 'no_return';

/**
 * What is to be known of a verdict: what stood around the JSON (`fenced`, `leading_text`, `trailing_text`, by lenient intake), and
 * where the text and its JavaScript value differ.
 */
export type Flag =
  | 'fenced'
  | 'leading_text'
  | 'trailing_text'
  | 'unsafe_integer'
  | 'number_out_of_range'
  | 'lone_surrogate';

/** A rejected text. */
export interface Rejection {
  ok: false;
  code: VerdictCode;
  issues: Issue[];
  /** How many issues there are beyond those listed. */
  omitted?: number;
  flags: Flag[];
}

/** What a contract says of a text: `value` is `JSON.parse` of `text`, and `flags` say where the two differ. */
export type Verdict<T = unknown> = { ok: true; value: T; text: string; flags: Flag[] } | Rejection;

/** Which attempt is judged: counted from 1, of `1 + maxRetries`. */
export interface AttemptOptions {
  attempt: number;
  maxRetries: number;
  /** How the provider said the generation ended. */
  finishReason?: string | undefined;
}

/** How a return reached the gate. */
export type Via = 'return_tool' | 'text' | 'value';

/** Why an attempt was not accepted. */
export type AttemptCode = VerdictCode | 'return_tool_missing' | 'guard_rejected';

/** What happens after an attempt. */
export type Decision =
  | { action: 'accept'; text: string; flags: Flag[] }
  | { action: 'retry'; code: AttemptCode; issues: Issue[]; feedback: string }
  | { action: 'exhausted'; code: 'contract_exhausted'; reason: AttemptCode; issues: Issue[]; message: string };

/** The tool a child calls to return. */
export interface ReturnToolSpec {
  name: string;
  description: string;
  inputSchema: Json;
  /** Whether the arguments are `{ result: … }`, because the contract's own values are no objects. */
  wrapped: boolean;
}

/** What a host knows of the run it is about to resume; what is absent is not compared. */
export interface ResumeExpectation {
  threadId?: string | undefined;
  toolCallId?: string | undefined;
  subagent?: string | undefined;
  /** The brief as the client replayed it. */
  brief?: string | undefined;
  contractDigest?: string | undefined;
  /** Milliseconds since the epoch. */
  now?: number | undefined;
  /** Whose it has to be; null: nobody's in particular. */
  bind?: string | null | undefined;
}

/** Why a return was refused by something other than the gate's own reading of it. */
export interface GateRefusal {
  code: AttemptCode;
  issues: readonly Issue[];
  omitted?: number | undefined;
  /** While it streamed in: the issues then point into what the child wrote, the wrapper included. */
  early?: boolean | undefined;
}

/** `text` with a JSON text at a pointer, all else to the letter. Throws `cannot_amend` when the pointer leads nowhere. */
export function amendText(text: string, pointer: string, valueText: string): string {
  return call((core) => withInput(core, text, (length) => askIn(core, 'Amend', length, pointer, valueText)));
}

/** About how many tokens of `o200k_base` a text is: seldom below the truth. */
export function estimateTokens(text: string): number {
  return call((core) => core.estimate_tokens(text));
}

/** What the parent's model reads when its brief was refused. */
export function briefFeedback(agentName: string, verdict: Rejection): string {
  const { code, issues, omitted } = verdict;
  return ask('BriefFeedback', agentName, wellFormedJson({ code, issues, omitted }));
}

/** What the parent's model reads about an agent's tool: the description, and that the child sees only the brief. */
export function briefToolDescription(agent: { description: string }): string {
  return ask('BriefToolDescription', agent.description);
}

/** Which contract holds: an explicit `final_schema` wins over the agent's `outputSchema`; else the child answers in prose. */
export function chooseContract(given: {
  finalSchema: boolean;
  outputSchema: boolean;
}): 'final_schema' | 'output_schema' | 'none' {
  const which = Number(given.finalSchema) + 2 * Number(given.outputSchema);
  return call((core) => askIn(core, 'ChooseContract', which)) as 'final_schema' | 'output_schema' | 'none';
}

/** Writes an envelope. Throws when its parts contradict each other. */
export function buildEnvelope(parts: EnvelopeParts): string {
  return ask('BuildEnvelope', wellFormedJson(parts));
}

/** Throws when a text is no envelope of a known version. */
export function assertEnvelope(text: string): void {
  assertString(text);
  ask('ParseEnvelope', text);
}

/** What the parent's model sees of an envelope's text. */
export function envelopeTextForModel(text: string): string {
  assertString(text);
  return ask('EnvelopeForModel', text);
}

/** What goes out as `SUBAGENT_FINISHED.result`: the envelope without the brief and without resume state. */
export function envelopeForEvent(text: string): string {
  return ask('EnvelopeForEvent', text);
}

/** A child's last text, at most 600 characters with a visible cut; null when it is blank. */
export function taskSummary(text: string): string | null {
  return ask('Summary', text) || null;
}

/** Writes resume state; the version and the brief's digest are filled in. */
export function writeResumeState(state: ResumeState): string {
  return ask('WriteResumeState', wellFormedJson(state));
}

/** Reads resume state and compares it with what the host expects. Throws a {@link ResumeError}. */
export function openResumeState(text: string, expected: ResumeExpectation): ResumeState {
  assertString(text);
  const wire = wellFormedJson({
    thread_id: expected.threadId,
    tool_call_id: expected.toolCallId,
    subagent: expected.subagent,
    brief: expected.brief,
    contract_digest: expected.contractDigest,
    now: expected.now,
    bind: expected.bind,
  });
  const read = refusing(() => ask('OpenResumeState', text, wire));
  return readState(JSON.parse(read) as ResumeState);
}

/** The members of a JSON object by name, as their exact texts. Throws when the text is none, or names a member twice. */
export function membersOf(text: string): Record<string, string> {
  const escaped = escapeLoneSurrogates(text);
  return JSON.parse(ask('MembersOf', escaped)) as Record<string, string>;
}

/** `sha256-…` of a JSON text's canonical form: equal exactly when two texts say the same. */
export function digestOf(text: string): string {
  return ask('DigestOf', text);
}

/** What a tree of subagents has used, as one child sees it. */
export interface LimitsUsed {
  /** How deep the child is or would be: the root's children are 1 deep. */
  depth: number;
  /** Children that its parent has started. */
  agents: number;
  /** Children that run now. */
  running: number;
  /** Children that were started in all. */
  calls: number;
  /** Whole milliseconds since the first one was started. */
  elapsedMs: number;
  tokens: number;
}

/** Whether a child may start, be resumed, or go on; else what its parent's model is told. */
export type LimitsAnswer =
  | { action: 'yes' }
  | { action: 'wait' }
  | { action: 'refused'; code: string; message: string };

/** Asks the limits of a tree for one child. */
export function askLimits(limits: Limits, used: LimitsUsed, asked: 'start' | 'resume' | 'go_on'): LimitsAnswer {
  const { depth, agents, running, calls, elapsedMs, tokens } = used;
  const { maxDepth = 0, maxAgents = 0, maxConcurrent = 0, maxCalls = 0, timeoutMs = 0, maxTokens = 0 } = limits;
  const numbers = [
    ...[depth, agents, running, calls, elapsedMs, tokens],
    ...[maxDepth, maxAgents, maxConcurrent, maxCalls, timeoutMs, maxTokens],
  ].map(whole);
  const question = ['start', 'resume', 'go_on'].indexOf(asked);
  return JSON.parse(call((core) => askIn(core, 'AskLimits', question, numbers.join()))) as LimitsAnswer;
}

/** A number as the core counts. */
function whole(value: number): number {
  return Math.min(Math.max(Math.trunc(value) || 0, 0), Number.MAX_SAFE_INTEGER);
}

/** A step of a router's pick, by names; an input is the JSON text of it. */
export interface PickedStep {
  order: 'parallel' | 'sequence';
  children: { name: string; input?: string }[];
}

/** The steps of a router's pick, none for `"main"`; or what is wrong with it, where `pointer` says. */
export type ResolvedPick = { steps: PickedStep[] } | { code: string; pointer: string; message: string };

/** Resolves a router's pick, given as JSON text. */
export function resolvePick(
  pickText: string,
  agents: readonly { name: string; takesInput: boolean }[],
  order: PickedStep['order'],
): ResolvedPick {
  const known = JSON.stringify(Object.fromEntries(agents.map(({ name, takesInput }) => [name, takesInput])));
  const question = `{"pick":${escapeLoneSurrogates(pickText)},"agents":${known}}`;
  const number = Number(order === 'sequence');
  return JSON.parse(call((core) => askIn(core, 'ResolvePick', number, question))) as ResolvedPick;
}
