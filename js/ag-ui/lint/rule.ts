// What a rule of the linter is: a sentence of the AG-UI specification with the check that goes with it.
import type { AGUIEvent, AGUIEventType } from '../events.js';
import type { Thread } from './thread.js';

/** `error`: some client refuses the stream, or the specification forbids it. `warning`: it is lost, or against a SHOULD. */
export type Severity = 'error' | 'warning';

/** One thing that is wrong with a stream. */
export interface Finding {
  /** The rule's id; ids are added, not renamed. */
  rule: string;
  severity: Severity;
  /** Which event it is about, from 0. */
  index: number;
  /** One line: lower case, no final period. */
  message: string;
  /** The page of the AG-UI specification that the rule comes from. */
  spec: string;
}

/** Says that the event at hand, or the one at `index`, breaks the rule. */
export type Report = (message: string, index?: number) => void;

/** An event of one type. */
export type EventOf<T extends AGUIEventType> = Extract<AGUIEvent, { type: T }>;

/** A rule as data. */
export interface RuleText {
  id: string;
  severity: Severity;
  /** The page of the specification, below its root. */
  page: string;
  /** What must hold, in one sentence. */
  sentence: string;
}

/** A rule as it is written down: an error, unless it says otherwise. */
export type RuleEntry = Omit<RuleText, 'severity'> & Partial<Pick<RuleText, 'severity'>>;

/** A rule with its check. Rules read what the linter remembers, and change nothing of it. */
export interface Rule extends RuleText {
  /** The events that it looks at; `every` also sees what comes outside a run. */
  on: readonly AGUIEventType[] | 'every';
  /** Looks at an event, before it is taken into account. */
  check?(event: AGUIEvent, thread: Thread, report: Report): void;
  /** Looks at a run that has ended, or at what there is of one. */
  atEnd?(thread: Thread, report: Report): void;
}

/** The root of the specification that the rules are of. */
const SPECIFICATION = 'https://docs.ag-ui.com/spec/1.0';

/** The address of a rule's page. */
export function specOf(rule: RuleText): string {
  return `${SPECIFICATION}/${rule.page}`;
}

/** A rule that looks at events of some types. */
export function rule<const T extends AGUIEventType>(
  text: RuleEntry,
  on: readonly T[],
  check: (event: EventOf<T>, thread: Thread, report: Report) => void,
): Rule {
  // The linter asks a rule only about the events that it is on.
  return { severity: 'error', ...text, on, check: check as NonNullable<Rule['check']> };
}

/** A rule that looks at every event, also outside a run. */
export function everyEvent(text: RuleEntry, check: NonNullable<Rule['check']>): Rule {
  return { severity: 'error', ...text, on: 'every', check };
}

/** A rule about a whole run. */
export function wholeRun(text: RuleEntry, atEnd: NonNullable<Rule['atEnd']>): Rule {
  return { severity: 'error', ...text, on: [], atEnd };
}

/** Rules without a check of their own, by id: what reads the events finds what breaks them. */
export function named<Id extends string>(
  entries: Readonly<Record<Id, Omit<RuleEntry, 'id'>>>,
): Readonly<Record<Id, RuleText>> {
  const rules = Object.entries<Omit<RuleEntry, 'id'>>(entries).map(([id, text]): [string, RuleText] => [
    id,
    { id, severity: 'error', ...text },
  ]);
  return Object.fromEntries(rules) as Record<Id, RuleText>;
}
