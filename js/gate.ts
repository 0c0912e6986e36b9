// The gate's bookkeeping for one delegation: which attempt it is, and what the core, the guards and the schema's own validation decided.
import type { TokenUsage } from './ag-ui/events.js';
import { sumUsage, usageField } from './ag-ui/usage.js';
import type { Contract } from './contract.js';
import type { Decision, Flag, GateRefusal, Issue, Rejection, Via } from './core.js';
import type { Amendment, AttemptRecord, Degradation } from './envelope.js';
import { type Evidence, type Guard, type NamedGuard, nameGuards, runGuards } from './guards.js';
import { type Rewritten, refine, rewrite } from './refine.js';
import { HANDLE, withHandle } from './transcript-handle.js';

/** A return, as it reached the gate. */
export interface Return {
  /** The exact text. */
  raw: string;
  via: Via;
  /** The provider's finish reason, when it is known. */
  finishReason?: string | undefined;
}

/** An accepted return. */
export interface Acceptance {
  action: 'accept';
  /** What goes out. */
  text: string;
  flags: Flag[];
  /** What guards say against it; absent when nothing. */
  degraded?: Degradation[];
  /** What guards, the host's transcript handle and the schema's transform changed; absent when nothing. */
  amendments?: Amendment[];
  /** The child's own text, when something was changed. */
  returned?: string;
}

/** So many issues of one attempt are kept, as of the schema: every record and event carries them. */
const ISSUES = 50;

/** Who amends and degrades beside the guards. */
const HOST = 'host';
const NOT_OURS = "this is the child's own, which its contract demands: no transcript is kept under it";

/** What was passed over around the return: an amendment does not undo it. */
const BY_INTAKE: ReadonlySet<Flag> = new Set(['fenced', 'leading_text', 'trailing_text']);

type Text = { text: string; flags: Flag[] };

/** A return that the guards have seen. */
type Guarded = Text & { amendments: Amendment[]; degraded: Degradation[] };

/** What happens after an attempt. */
export type GateDecision = Acceptance | Exclude<Decision, { action: 'accept' }>;

/** What a gate is made of. */
export interface GateOptions {
  /** How often a refused return may be mended. */
  maxRetries: number;
  /** Attempts used before a suspension, which stay used. */
  used?: readonly AttemptRecord[] | undefined;
  /** Checks beyond the schema, in the order they run. */
  guards?: readonly Guard[] | undefined;
  /** What the child did so far, asked for when a return is judged. It leaves calls of the return tool out. */
  evidence?: (() => Evidence) | undefined;
  /** Passed on to the guards. */
  signal?: AbortSignal | undefined;
  /** The handle under which the host keeps the child's transcript; absent when it keeps none. */
  transcriptRef?: string | undefined;
}

/**
 * Judges the returns of one child. The loop around it
 * - makes it with the definition's `guards` and an `evidence` of the child's own tool calls;
 * - gives it each return (`judge`), each stream that was given up (`refuseEarly`) and each end without a return (`noReturn`),
 *   and hands back to the child the feedback of what is a `retry`;
 * - gives it the usage it hears of (`addUsage`);
 * - asks it for what can be salvaged when none was accepted (`partial`);
 * - puts `text`, `flags`, `degraded`, `amendments` and `returned` of what is accepted, and `attempts`, into the envelope's parts.
 *
 * A return is judged in this order: the schema; the guards, one after the other; then a transcript handle of the child's own
 * gives way to the host's; the schema's own validation, whose transform therefore runs once, on what goes out. What it decides
 * is the core's; it only counts.
 */
export class Gate {
  readonly contract: Contract;
  readonly maxRetries: number;
  readonly #attempts: AttemptRecord[];
  readonly #guards: NamedGuard[];
  readonly #evidence: () => Evidence;
  readonly #signal: AbortSignal | undefined;
  readonly #transcriptRef: string | undefined;
  /** The last return that was not accepted. */
  #refused: Pick<Return, 'raw' | 'via'> | undefined;
  /** Reported since the last attempt. */
  #usage: TokenUsage[] = [];
  #settled = false;
  /** Decides once more what goes out of the return that was accepted, as where no transcript is kept. */
  #again: (() => Promise<Acceptance | { issues: Issue[] }>) | undefined;

  constructor(contract: Contract, options: GateOptions) {
    this.contract = contract;
    this.maxRetries = options.maxRetries;
    this.#attempts = [...(options.used ?? [])];
    this.#guards = nameGuards(options.guards ?? []);
    this.#evidence = options.evidence ?? (() => ({ toolCalls: [] }));
    this.#signal = options.signal;
    this.#transcriptRef = options.transcriptRef;
  }

  /** Every attempt so far. */
  get attempts(): AttemptRecord[] {
    return [...this.#attempts];
  }

  /** The number of the attempt that comes next, from 1. */
  get next(): number {
    return this.#attempts.length + 1;
  }

  /**
   * Takes usage that the child reported, for the attempt that the reported model call led to: a provider reports after the
   * call, and a host perhaps after the return in it was judged. After the last attempt it counts for that one.
   */
  addUsage(usage: readonly TokenUsage[], leadsTo: number = this.next): void {
    const at = this.#settled ? Math.min(leadsTo, this.#attempts.length) : leadsTo;
    const judged = this.#attempts[at - 1];
    if (judged === undefined) this.#usage.push(...usage);
    else this.#attempts[at - 1] = { ...judged, usage: sumUsage([...(judged.usage ?? []), ...usage]) };
  }

  /**
   * Judges a whole return.
   *
   * @throws SchemaError `validation_threw` or `transform_not_json` and GuardError `guard_failed` for faults of the
   * application's, which spend no attempt.
   */
  async judge({ raw, via, finishReason }: Return): Promise<GateDecision> {
    const { contract } = this;
    this.#refused = { raw, via };
    const decision = contract.handle.judge(raw, { ...this.#at(via), finishReason });
    if (decision.action !== 'accept') return this.#record(decision, via);
    const given = { text: decision.text, flags: decision.flags };
    const guarded = await runGuards(this.#guards, given, this.#evidence(), { contract, signal: this.#signal });
    if (guarded.issues.length > 0) return this.#refuse({ code: 'guard_rejected', issues: guarded.issues }, via);
    const accepted = await this.#accept(decision, guarded, this.#transcriptRef);
    if ('issues' in accepted) return this.#refuse({ code: 'refinement_failed', issues: accepted.issues }, via);
    this.#again = () => this.#accept(decision, guarded, undefined);
    return this.#record(accepted, via);
  }

  /**
   * What was accepted, when the transcript could not be kept after all: its handle would lead nowhere, so a return that has one
   * goes out as where no transcript is kept. The schema's own validation runs again for it.
   */
  async withoutTranscript(accepted: Acceptance): Promise<Acceptance> {
    if (withHandle(this.contract, accepted, undefined) === accepted) return accepted;
    const again = await this.#again?.();
    return again === undefined || 'issues' in again ? accepted : again;
  }

  /** Judges what the guards have seen by the schema's own validation. */
  async #accept(
    decision: Decision & { action: 'accept' },
    guarded: Guarded,
    handle: string | undefined,
  ): Promise<Acceptance | { issues: Issue[] }> {
    const [amendments, degraded] = [[...guarded.amendments], [...guarded.degraded]];
    const out = await this.#validate(guarded, handle, amendments, degraded);
    if ('issues' in out) return out;
    amendments.push(...out.places.map((pointer) => ({ pointer, by: 'transform' })));
    return {
      action: 'accept',
      text: out.text,
      flags: [
        ...decision.flags.filter((flag) => BY_INTAKE.has(flag)),
        ...out.flags.filter((flag) => !BY_INTAKE.has(flag)),
      ],
      ...(degraded.length > 0 && { degraded }),
      ...(amendments.length > 0 && { amendments, returned: decision.text }),
    };
  }

  /**
   * Spends an attempt on a return whose stream was given up: `rejection` is the stream's own, and its issues point into what
   * the child wrote; `own` are the same ones, pointing into the contract's value. `raw` is the text so far.
   */
  refuseEarly({ code, issues, omitted }: Rejection, own?: Issue[], raw?: string): GateDecision {
    const via = 'return_tool';
    if (raw !== undefined) this.#refused = { raw, via };
    const decision = this.contract.handle.refuse({ code, issues, omitted, early: true }, this.#at(via));
    return this.#record(decision.action === 'accept' || !own ? decision : { ...decision, issues: own }, via, true);
  }

  /** Spends an attempt on a child that ended without a return. `couldCall`: it was given its return tool. */
  noReturn(couldCall: boolean, finishReason?: string): GateDecision {
    const { next: attempt, maxRetries } = this;
    return this.#record(
      this.contract.handle.judgeNoReturn({ attempt, maxRetries, returnTool: couldCall, finishReason }),
    );
  }

  /**
   * The JSON text of the closed and valid parts of the last return, for a child that failed or was cancelled: for the host and
   * its card, never for a model. `inFlight` is a return that had not come to its end. Nothing when nothing is left of it.
   */
  partial(inFlight?: Pick<Return, 'raw' | 'via'>): string | undefined {
    for (const last of [inFlight, this.#refused]) {
      const saved = last && this.contract.handle.salvage(last.raw, last.via);
      if (saved !== undefined) return saved;
    }
    return undefined;
  }

  /** What goes out, of a return that the guards have seen. */
  async #validate(
    guarded: Text,
    handle: string | undefined,
    amendments: Amendment[],
    degraded: Degradation[],
  ): Promise<Rewritten> {
    const { contract } = this;
    const handled = withHandle(contract, guarded, handle);
    if (handled !== undefined && handled !== guarded) {
      const out = await this.#refine(handled);
      if (!('issues' in out)) {
        amendments.push({ pointer: HANDLE, by: HOST });
        return out;
      }
    }
    const out = await this.#refine(guarded);
    // The child is not to blame for a handle that it had to give.
    if (!('issues' in out) && handled !== guarded) degraded.push({ by: HOST, pointer: HANDLE, message: NOT_OURS });
    return out;
  }

  async #refine({ text, flags }: Text): Promise<Rewritten> {
    const { validate } = this.contract;
    if (validate === undefined) return { text, flags, places: [] };
    const refined = await refine(validate, JSON.parse(text));
    return 'issues' in refined ? refined : rewrite({ text, flags }, refined.value);
  }

  #refuse({ code, issues }: GateRefusal, via: Via): GateDecision {
    const refusal = { code, issues: issues.slice(0, ISSUES), omitted: Math.max(0, issues.length - ISSUES) };
    return this.#record(this.contract.handle.refuse(refusal, this.#at(via)), via);
  }

  #at(via: Via): { attempt: number; maxRetries: number; via: Via } {
    return { attempt: this.next, maxRetries: this.maxRetries, via };
  }

  #record<D extends GateDecision>(decision: D, via?: Via, early = false): D {
    const attempt = this.next;
    const about = { ...(early && { early }), ...usageField(this.#usage.splice(0)) };
    this.#settled = decision.action !== 'retry';
    if (decision.action === 'accept') {
      this.#attempts.push({ attempt, ...(via && { via }), outcome: 'accepted', ...about });
      return decision;
    }
    const code = decision.action === 'retry' ? decision.code : decision.reason;
    this.#attempts.push({
      attempt,
      ...(via && { via }),
      outcome: via ? 'rejected' : 'no_return',
      code,
      ...(decision.issues.length > 0 && { issues: decision.issues }),
      ...about,
    });
    return decision;
  }
}
