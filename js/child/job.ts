// What a child is run on, and what comes of it.
import type { Interrupt, ResumeEntry, TokenUsage } from '../ag-ui/events.js';
import type { StreamMender } from '../ag-ui/mend.js';
import type { ChildIdentity } from '../ag-ui/tag.js';
import type { RunOptions } from '../delegation-options.js';
import { type Earlier, tellOf } from '../earlier.js';
import type { AttemptRecord } from '../envelope.js';
import type { Acceptance, Gate } from '../gate.js';
import type { Entry } from '../position.js';
import type { Delegated, Prepared } from '../prepare.js';
import type { AgentContext, ContextBase } from './context.js';
import type { Failure } from './failure.js';
import type { History, HistoryMessage } from './history.js';
import type { Stop } from './stop.js';

/** A child that is ready to start. */
export interface ChildJob {
  run(ctx: AgentContext): unknown;
  context: ContextBase;
  /** The first run's id; the later ones are made from it. */
  runId: string;
  identity: ChildIdentity;
  /** Absent in prose mode. */
  gate: Gate | undefined;
  /** Whether a return is judged while it streams in. */
  earlyReject: boolean;
  history: History;
  /** What earlier children came to, as a message of the seed. */
  earlierMessage: HistoryMessage | undefined;
  mender: StreamMender;
  stop: Stop;
  /** The child's place in the trees whose limits hold for it. */
  entry: Entry | undefined;
  /** The answers to the child's interrupts, when it was suspended. */
  resume: ResumeEntry[] | undefined;
  newId(): string;
  /** Hears of each attempt. */
  attempted(attempt: AttemptRecord): void;
}

/** How a child ended. */
export type Outcome =
  | { status: 'completed'; summary: string | null; accepted?: Acceptance }
  | { status: 'suspended'; interrupts: Interrupt[] }
  | Failure;

/** What was measured while the child ran. */
export interface Measured {
  usage: TokenUsage[];
  finishReason?: string | undefined;
  /** How the child ended, as soon as that is certain; its last events may not have been read yet. */
  settled?: Outcome | undefined;
}

/** What a child that is to start is given beside what its call says. */
export interface ChildSurroundings extends Pick<ChildJob, 'mender' | 'stop' | 'entry' | 'newId' | 'attempted'> {
  /** The children before it, in a sequence. */
  earlier: readonly Earlier[];
}

/** A prepared child as it is run. */
export function childJob(
  { ids, agent, prepared: ready }: Delegated,
  { messages = [], runId, host, earlyReject = agent.earlyReject }: RunOptions,
  { earlier, ...around }: ChildSurroundings,
): ChildJob {
  const { definition, inputContract } = agent;
  const { brief, gate, history, resume } = ready as Prepared;
  const told = tellOf(earlier, messages, inputContract === undefined && gate === undefined);
  return {
    ...around,
    run: (ctx) => definition.run(ctx as never),
    context: {
      ...ids,
      input: brief.input,
      messages: told.messages,
      earlier: told.earlier,
      ...(host && { host: host.context }),
    },
    runId: runId ?? around.newId(),
    identity: { subagentRunId: ids.subagentRunId, parentMessageIds: messageIds(messages) },
    gate,
    earlyReject,
    history,
    earlierMessage: told.message,
    resume,
  };
}

function messageIds(messages: readonly unknown[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    const id = (message as { id?: unknown } | null)?.id;
    if (typeof id === 'string') ids.add(id);
  }
  return ids;
}
