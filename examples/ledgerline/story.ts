// The run itself: the parent delegates, a child waits for an approval, and the client posts everything back.
import { chatParamsFromRequestBody } from '@tanstack/ai';
import { type Interrupt, memoryTranscripts, type ResumeEntry, resumeTokenIn } from 'subcontract';
import { toSubagentResponse } from 'subcontract/tanstack';
import type { SeenRun } from './agents.js';
import { answer, type ChatRequest, type ChatServer } from './chat.js';
import { EARLIER, QUESTION } from './conversation.js';
import type { Line } from './provider.js';
import { framesOf } from './sse-frames.js';
import type { ApprovalLog } from './tools.js';
import type { Watch } from './watch.js';

/** What the run leaves behind beside the events. */
export interface Story {
  runs: SeenRun[];
  approvals: ApprovalLog;
  /** Bytes of each body that the client posted to go on. */
  posted: number[];
  /** Bytes of each sealed state that the client carried. */
  sealed: number[];
}

export type Approver = (interrupts: Interrupt[]) => void;

const THREAD = 'board-question';
/** A live model may ask again and again; the script asks once. */
const MAX_RESUMES = 5;

export async function runStory(line: Line, watch: Watch, onApproval: Approver): Promise<Story> {
  const story: Story = { runs: [], approvals: { executions: [] }, posted: [], sealed: [] };
  // A server has the keys from its configuration. This one ends with its only conversation.
  const seal = { keys: [{ id: 'demo', secret: crypto.getRandomValues(new Uint8Array(32)) }] };
  const server: ChatServer = {
    line,
    store: memoryTranscripts(),
    seal,
    // A terminal tells one thing after the other.
    order: 'sequence',
    approvals: story.approvals,
    runs: story.runs,
  };
  const serve = (request: ChatRequest) => toSubagentResponse(answer(server, request));

  const messages = [...EARLIER, { role: 'user' as const, content: QUESTION }];
  for await (const { event } of framesOf(serve({ threadId: THREAD, runId: 'run-1', messages }))) watch.take(event);

  for (let n = 1; watch.interrupts.length > 0 && n <= MAX_RESUMES; n += 1) {
    onApproval(watch.interrupts);
    for (const interrupt of watch.interrupts) {
      const token = resumeTokenIn(interrupt);
      if (token !== undefined) story.sealed.push(token.length);
    }
    const resume: ResumeEntry[] = watch.interrupts.map(({ id }) => ({
      interruptId: id,
      status: 'resolved',
      payload: { approved: true },
    }));
    // What a browser posts: its copy of the messages and the answers, as JSON text and nothing else.
    const body = JSON.stringify({
      threadId: THREAD,
      runId: `run-${n + 1}`,
      parentRunId: `run-${n}`,
      messages: watch.messages,
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
      resume,
    });
    story.posted.push(Buffer.byteLength(body));
    const params = await chatParamsFromRequestBody(JSON.parse(body));
    const response = serve({
      threadId: params.threadId,
      runId: params.runId,
      messages: params.messages,
      ...(params.parentRunId !== undefined && { parentRunId: params.parentRunId }),
      ...(params.resume !== undefined && { resume: params.resume }),
    });
    for await (const { event } of framesOf(response)) watch.take(event);
  }
  return story;
}
