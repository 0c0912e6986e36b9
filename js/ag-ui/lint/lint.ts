// `lintEvents`: reads a stream of AG-UI events and says what is wrong with it.
import type { AGUIEvent, AGUIEventType, ResumeEntry } from '../events.js';
import type { Misfit } from '../inspect.js';
import { Chunks } from './chunks.js';
import { type Memo, type Reading, readEvent } from './read.js';
import { type Finding, type Rule, type RuleText, specOf } from './rule.js';
import { SHAPE_RULES } from './rules/event-model.js';
import { type ResultContract, resultRule } from './rules/results.js';
import { payloadRule, type SchemaCheck } from './rules/resume.js';
import { CHUNK_RULES } from './rules/streaming.js';
import { CHECKED_RULES } from './rules.js';
import { Thread } from './thread.js';

/** What the linter may be told beside the events. */
export interface LintOptions {
  /** The events of the thread's earlier runs, oldest first: what goes on from them is then checked against them. */
  earlier?: Iterable<unknown>;
  /** The answers with which the run was started, where its RUN_STARTED does not echo them. */
  resume?: readonly ResumeEntry[];
  /** The state with which the run was started. Unknown without it, until a snapshot says it. */
  state?: unknown;
  /** What each subagent's returns must satisfy, by the subagent's name. */
  contracts?: Readonly<Record<string, ResultContract>> | ReadonlyMap<string, ResultContract>;
  /** `compileContract`, to check answers against the `responseSchema` of their interrupts. */
  compile?(schema: Record<string, unknown>): SchemaCheck;
}

/**
 * What is wrong with a stream of AG-UI events, by event.
 *
 * Takes what was sent or is to be sent, parsed: a run, or several of a thread. It checks what the specification asks of
 * producers, and what no client checks: interrupts that nobody asks, calls that nobody made, usage that does not add up,
 * results that break their contract, and how a run goes on from the one before.
 *
 * It reads every event once, in time that grows with the size of the stream, and does not throw whatever is in it.
 *
 * # Example: a test
 * ```ts
 * expect(lintEvents(events, { contracts: { researcher: researcher.outputContract } })).toEqual([]);
 * ```
 */
export function lintEvents(events: Iterable<unknown>, options: LintOptions = {}): Finding[] {
  return new Linter(options).lint(events);
}

const MISFITS = {
  missing: SHAPE_RULES['field-missing'],
  null: SHAPE_RULES['optional-null'],
  wrong: SHAPE_RULES['field-malformed'],
  unknown: SHAPE_RULES['field-unknown'],
} as const;

class Linter {
  readonly #findings: Finding[] = [];
  readonly #thread = new Thread();
  readonly #memo: Memo = new WeakMap();
  readonly #rules: readonly Rule[];
  readonly #byType = new Map<AGUIEventType, Rule[]>();
  readonly #everywhere: readonly Rule[];
  #chunks = new Chunks();

  constructor(options: LintOptions) {
    this.#rules = [...CHECKED_RULES, resultRule(contractsIn(options.contracts)), payloadRule(options.compile)];
    this.#everywhere = this.#rules.filter(({ on }) => on === 'every');
    if (options.earlier) {
      this.#lintAll(options.earlier, false);
      this.#thread.earlierKnown = true;
    }
    if ('state' in options) this.#thread.state = options.state;
    this.#thread.givenResume = answersIn(options.resume);
  }

  lint(events: Iterable<unknown>): Finding[] {
    this.#lintAll(events, true);
    // Some are found when a run ends, and are about what came before.
    return this.#findings.sort((left, right) => left.index - right.index);
  }

  /** Reads a whole stream; one that came earlier is only remembered. */
  #lintAll(events: Iterable<unknown>, judged: boolean): void {
    const thread = this.#thread;
    thread.index = 0;
    this.#chunks = new Chunks();
    for (const next of untilBroken(events)) {
      if ('broken' in next) {
        if (judged) this.#report(SHAPE_RULES['not-a-stream'], 'the events cannot be read to their end');
        break;
      }
      this.#event(next.event, judged);
      thread.index += 1;
    }
    if (thread.phase !== 'active') return;
    if (judged) this.#endRun();
    else thread.phase = 'failed';
  }

  #event(raw: unknown, judged: boolean): void {
    const reading = readEvent(raw, this.#memo);
    if (judged) this.#shape(reading);
    if (!reading.event || this.#thread.isNestedEnd(reading.event)) return;
    const { events, problem } = this.#chunks.expand(reading.event);
    for (const { event, chunked } of events) {
      if (judged) this.#judge(event);
      this.#thread.take(event, chunked);
    }
    if (problem && judged) this.#report(CHUNK_RULES[problem.rule], problem.message);
  }

  #shape({ noObject, noJson, unknownType, tooLarge, loneSurrogate, misfits, event }: Reading): void {
    if (noObject !== undefined) this.#report(SHAPE_RULES['event-no-object'], `${noObject} is no event`);
    if (noJson !== undefined) this.#report(SHAPE_RULES['event-no-json'], noJson);
    if (unknownType !== undefined) {
      this.#report(SHAPE_RULES['type-unknown'], `there is no ${unknownType.slice(0, 80)}`);
    }
    if (tooLarge) this.#report(SHAPE_RULES['event-too-large'], 'it is over 10 MB');
    if (loneSurrogate) this.#report(SHAPE_RULES['lone-surrogate'], 'a string has half a surrogate pair');
    for (const misfit of misfits ?? []) this.#misfit(misfit, event);
  }

  #misfit(misfit: Misfit, event: AGUIEvent | undefined): void {
    const { what, path, wanted, found } = misfit;
    if (what === 'unknown' && path === 'subagentRunId') {
      this.#report(SHAPE_RULES['run-event-tagged'], 'it has a subagentRunId');
    } else if (what === 'unknown' && path === 'outcome.interruptIds') {
      this.#report(SHAPE_RULES['outcome-with-interrupts'], 'a success outcome has interrupt ids');
    } else if (what === 'unknown') {
      this.#report(MISFITS.unknown, `the protocol has no ${path}${event ? ` on ${event.type}` : ''}`);
    } else if (what === 'wrong' && /^(?:delta|patch)(?:$|\[)/.test(path) && wanted !== 'a string') {
      this.#report(SHAPE_RULES['patch-malformed'], `${path} is ${found}, not ${wanted}`);
    } else {
      this.#report(MISFITS[what], `${path} is ${found}, not ${wanted}`);
    }
  }

  #judge(event: AGUIEvent): void {
    const thread = this.#thread;
    const inRun = thread.phase === 'active' || event.type === 'RUN_STARTED' || event.type === 'RUN_ERROR';
    for (const rule of inRun ? this.#rulesOn(event.type) : this.#everywhere) {
      rule.check?.(event, thread, (message, index) => this.#report(rule, message, index));
    }
    if (thread.phase === 'active' && (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR')) this.#endRun(true);
  }

  /** `closed`: by the event at hand. */
  #endRun(closed = false): void {
    for (const rule of this.#rules) {
      if (closed && rule.id === 'run-not-closed') continue;
      rule.atEnd?.(this.#thread, (message, index) => this.#report(rule, message, index));
    }
  }

  #rulesOn(type: AGUIEventType): readonly Rule[] {
    let rules = this.#byType.get(type);
    if (!rules) {
      rules = this.#rules.filter(({ on }) => on === 'every' || on.includes(type));
      this.#byType.set(type, rules);
    }
    return rules;
  }

  #report(rule: RuleText, message: string, index = this.#thread.index): void {
    this.#findings.push({ rule: rule.id, severity: rule.severity, index, message, spec: specOf(rule) });
  }
}

/** The items of what may be no stream, or break off. */
function* untilBroken(events: Iterable<unknown>): Generator<{ event: unknown } | { broken: true }> {
  let iterator: Iterator<unknown>;
  try {
    iterator = events[Symbol.iterator]();
  } catch {
    yield { broken: true };
    return;
  }
  for (;;) {
    let next: IteratorResult<unknown>;
    try {
      next = iterator.next();
      if (next.done) return;
    } catch {
      yield { broken: true };
      return;
    }
    yield { event: next.value };
  }
}

/** The answers that are some: whoever lints a request has it from a client. */
function answersIn(resume: LintOptions['resume']): readonly ResumeEntry[] | undefined {
  return resume?.filter((entry) => typeof entry?.interruptId === 'string');
}

function contractsIn(contracts: LintOptions['contracts'] = {}): ReadonlyMap<string, ResultContract> {
  return contracts instanceof Map ? contracts : new Map(Object.entries(contracts));
}
