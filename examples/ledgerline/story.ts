// The run itself: the parent delegates, a child waits for an approval, and the client posts everything back.
import { chatParamsFromRequestBody, type ModelMessage, maxIterations, type UIMessage } from '@tanstack/ai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
  type AGUIEvent,
  type Interrupt,
  memoryTranscripts,
  type ResumeEntry,
  resumeTokenIn,
  transcriptSpanTool,
} from 'subcontract';
import { chatWithSubagents, toSubagentResponse } from 'subcontract/tanstack';
import { ledgerlineAgents, type SeenRun } from './agents.js';
import { EARLIER, PARENT_PROMPT, QUESTION } from './conversation.js';
import type { Provider } from './provider.js';
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

export async function runStory(provider: Provider, watch: Watch, onApproval: Approver): Promise<Story> {
  const story: Story = { runs: [], approvals: { executions: [] }, posted: [], sealed: [] };
  // A server has it from its configuration. This one ends with its only conversation.
  const keys = [{ id: 'demo', secret: crypto.getRandomValues(new Uint8Array(32)) }];
  const { adapter } = provider;
  // What the children did stays on the server; the parent reads a span of it when a record is not enough.
  const store = memoryTranscripts();

  /** One request to the server: everything it knows comes in as arguments, as in a serverless function. */
  const serve = (request: ServerRequest): Response =>
    toSubagentResponse(
      chatWithSubagents({
        adapter,
        systemPrompts: [PARENT_PROMPT],
        agentLoopStrategy: maxIterations(20),
        tools: [transcriptSpanTool({ store, threadId: request.threadId, countTokens })],
        subagents: {
          agents: ledgerlineAgents({ adapter, approvals: story.approvals, runs: story.runs }),
          seal: { keys },
          transcripts: { store },
        },
        ...request,
      }),
    );

  const messages = [...EARLIER, { role: 'user' as const, content: QUESTION }];
  await follow(serve({ threadId: THREAD, runId: 'run-1', messages }), watch);

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
    await follow(
      serve({
        threadId: params.threadId,
        runId: params.runId,
        messages: params.messages,
        ...(params.parentRunId !== undefined && { parentRunId: params.parentRunId }),
        ...(params.resume !== undefined && { resume: params.resume }),
      }),
      watch,
    );
  }
  return story;
}

interface ServerRequest {
  threadId: string;
  runId: string;
  parentRunId?: string;
  messages: (UIMessage | ModelMessage)[];
  resume?: ResumeEntry[];
}

/** Reads the response as a client does: server-sent events, one JSON object a frame. */
async function follow(response: Response, watch: Watch): Promise<void> {
  if (response.body === null) throw new Error('the response has no body');
  let buffer = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    buffer += text;
    const frames = buffer.split('\n\n');
    buffer = frames.pop() ?? '';
    for (const frame of frames) watch.take(JSON.parse(frame.replace(/^data: /, '')) as AGUIEvent);
  }
}
