// One request to the parent, as a serverless function would have it: everything it knows comes in as arguments.
import { type ModelMessage, maxIterations, type UIMessage } from '@tanstack/ai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type AGUIEvent, type ResumeEntry, type Seal, type TranscriptStore, transcriptSpanTool } from 'subcontract';
import { chatWithSubagents } from 'subcontract/tanstack';
import { ledgerlineAgents, type SeenRun } from './agents.js';
import { PARENT_PROMPT } from './conversation.js';
import type { Line } from './provider.js';
import type { ApprovalLog } from './tools.js';

/** What a client sends. */
export interface ChatRequest {
  threadId: string;
  runId: string;
  parentRunId?: string;
  messages: (UIMessage | ModelMessage)[];
  resume?: ResumeEntry[];
}

/** What the server has beside it. */
export interface ChatServer {
  line: Line;
  /** What the children did stays here; the parent reads a span of it when a record is not enough. */
  store: TranscriptStore;
  seal: Seal;
  /** How the children of one turn run. */
  order: 'parallel' | 'sequence';
  approvals: ApprovalLog;
  runs: SeenRun[];
  /** By the id of a child, what stops it alone. */
  stops?: Map<string, AbortController>;
}

export function answer(
  server: ChatServer,
  request: ChatRequest,
  abortController?: AbortController,
): AsyncIterable<AGUIEvent> {
  const { line, store, seal, order, approvals, runs, stops } = server;
  return chatWithSubagents({
    adapter: line.adapter,
    systemPrompts: [PARENT_PROMPT],
    agentLoopStrategy: maxIterations(20),
    tools: [transcriptSpanTool({ store, threadId: request.threadId, countTokens })],
    subagents: {
      agents: ledgerlineAgents({ adapter: line.adapter, approvals, runs, ...(stops && { stops }) }),
      seal,
      order,
      transcripts: { store },
    },
    ...request,
    ...(abortController && { abortController }),
  });
}
