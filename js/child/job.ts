// What a child is run on, and what comes of it.
import type { Interrupt, ResumeEntry, TokenUsage } from '../ag-ui/events.js';
import type { StreamMender } from '../ag-ui/mend.js';
import type { ChildIdentity } from '../ag-ui/tag.js';
import type { AttemptRecord } from '../envelope.js';
import type { Acceptance, Gate } from '../gate.js';
import type { Entry } from '../position.js';
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
