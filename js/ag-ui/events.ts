// The AG-UI 1.0 event types, written out so that importing this package never needs `@ag-ui/core`.

/** A bag of extra information on an event; open by key. */
export type Metadata = Record<string, unknown>;

/** What every event may carry. An optional field is absent, never null. */
export interface EventFields {
  /** Milliseconds since the epoch. */
  timestamp?: number;
  /** The provider's own event this one was made from. */
  rawEvent?: unknown;
  metadata?: Metadata;
}

/** What every event may carry that a subagent can own. */
export interface AttributedFields extends EventFields {
  /** The subagent that produced the event; absent for the parent. */
  subagentRunId?: string;
}

/** Opens a text message. */
export interface TextMessageStartEvent extends AttributedFields {
  type: 'TEXT_MESSAGE_START';
  messageId: string;
  role?: 'developer' | 'system' | 'assistant' | 'user';
  name?: string;
}

/** One delta of an open text message. */
export interface TextMessageContentEvent extends AttributedFields {
  type: 'TEXT_MESSAGE_CONTENT';
  messageId: string;
  delta: string;
}

/** Closes a text message. */
export interface TextMessageEndEvent extends AttributedFields {
  type: 'TEXT_MESSAGE_END';
  messageId: string;
}

/** Start, delta and end of a text message in one shorthand event. */
export interface TextMessageChunkEvent extends AttributedFields {
  type: 'TEXT_MESSAGE_CHUNK';
  messageId?: string;
  role?: 'developer' | 'system' | 'assistant' | 'user';
  delta?: string;
  name?: string;
}

/** Opens a tool call. */
export interface ToolCallStartEvent extends AttributedFields {
  type: 'TOOL_CALL_START';
  toolCallId: string;
  toolCallName: string;
  parentMessageId?: string;
}

/** One delta of a tool call's argument text. */
export interface ToolCallArgsEvent extends AttributedFields {
  type: 'TOOL_CALL_ARGS';
  toolCallId: string;
  delta: string;
}

/** Closes a tool call's arguments. */
export interface ToolCallEndEvent extends AttributedFields {
  type: 'TOOL_CALL_END';
  toolCallId: string;
}

/** Start, delta and end of a tool call in one shorthand event. */
export interface ToolCallChunkEvent extends AttributedFields {
  type: 'TOOL_CALL_CHUNK';
  toolCallId?: string;
  toolCallName?: string;
  parentMessageId?: string;
  delta?: string;
}

/** Where a media part's bytes are. */
export type PartSource =
  | { type: 'data'; value: string; mimeType: string }
  | { type: 'url'; value: string; mimeType?: string }
  | { type: 'file'; value: string; provider?: string; mimeType?: string };

/** One part of a message's or a tool result's content. */
export type ContentPart =
  | { type: 'text'; id?: string; text: string; metadata?: unknown }
  | {
      type: 'image' | 'audio' | 'video' | 'document';
      id?: string;
      source: PartSource;
      metadata?: unknown;
    };

/** What a tool call returned. */
export interface ToolCallResultEvent extends AttributedFields {
  type: 'TOOL_CALL_RESULT';
  messageId: string;
  toolCallId: string;
  content: string | ContentPart[];
  role?: 'tool';
}

/** The run's whole state. */
export interface StateSnapshotEvent extends AttributedFields {
  type: 'STATE_SNAPSHOT';
  snapshot: unknown;
}

/** One operation of a JSON Patch (RFC 6902). */
export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string };

/** A change to the run's state. */
export interface StateDeltaEvent extends AttributedFields {
  type: 'STATE_DELTA';
  delta: JsonPatchOperation[];
}

/** A tool call inside an assistant message. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  encryptedValue?: string;
  metadata?: Metadata;
}

interface MessageFields {
  id: string;
  subagentRunId?: string;
  metadata?: Metadata;
}

/** A message of a thread, as MESSAGES_SNAPSHOT carries it. */
export type Message =
  | (MessageFields & {
      role: 'developer' | 'system';
      name?: string;
      encryptedValue?: string;
      content: string;
    })
  | (MessageFields & {
      role: 'assistant';
      name?: string;
      encryptedValue?: string;
      content?: string;
      toolCalls?: ToolCall[];
    })
  | (MessageFields & {
      role: 'user';
      name?: string;
      encryptedValue?: string;
      content: string | ContentPart[];
    })
  | (MessageFields & {
      role: 'tool';
      content: string | ContentPart[];
      toolCallId: string;
      error?: string;
      encryptedValue?: string;
    })
  | (MessageFields & { role: 'activity'; activityType: string; content: Record<string, unknown> })
  | (MessageFields & { role: 'reasoning'; content: string; encryptedValue?: string });

/** The thread's messages, whole. */
export interface MessagesSnapshotEvent extends EventFields {
  type: 'MESSAGES_SNAPSHOT';
  messages: Message[];
}

/** An activity, whole. */
export interface ActivitySnapshotEvent extends AttributedFields {
  type: 'ACTIVITY_SNAPSHOT';
  messageId: string;
  activityType: string;
  content: Record<string, unknown>;
  replace?: boolean;
}

/** A change to an activity. */
export interface ActivityDeltaEvent extends AttributedFields {
  type: 'ACTIVITY_DELTA';
  messageId: string;
  activityType: string;
  patch: JsonPatchOperation[];
}

/** Another system's event, passed on as it is. */
export interface RawEvent extends AttributedFields {
  type: 'RAW';
  event: unknown;
  source?: string;
}

/** An application's own event; this package's are named `subcontract.*`. */
export interface CustomEvent extends AttributedFields {
  type: 'CUSTOM';
  name: string;
  value: unknown;
}

/** A wait on a person (or another outside party). */
export interface Interrupt {
  id: string;
  reason: string;
  subagentRunId?: string;
  message?: string;
  toolCallId?: string;
  /** JSON Schema of the payload that answers it. */
  responseSchema?: Record<string, unknown>;
  /** RFC 3339. */
  expiresAt?: string;
  metadata?: Metadata;
}

/** The answer to one interrupt. */
export interface ResumeEntry {
  interruptId: string;
  status: 'resolved' | 'cancelled';
  payload?: unknown;
  metadata?: Metadata;
}

/** Token counts of one provider and model. Totals include their details. */
export interface TokenUsage {
  provider?: string;
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  reasoningTokens?: number;
  cachedInputTokens?: number;
  cacheWriteInputTokens?: number;
}

/** The input of a run, as RUN_STARTED may echo it. */
export interface RunAgentInput {
  threadId: string;
  runId: string;
  protocolVersion?: string;
  parentRunId?: string;
  state?: unknown;
  messages: Message[];
  tools: { name: string; description: string; parameters?: unknown; metadata?: Metadata }[];
  context: { description: string; value: string }[];
  forwardedProps?: unknown;
  resume?: ResumeEntry[];
}

/** Opens a run. */
export interface RunStartedEvent extends EventFields {
  type: 'RUN_STARTED';
  threadId: string;
  runId: string;
  protocolVersion?: string;
  parentRunId?: string;
  input?: RunAgentInput;
}

/** How a run ended that did not fail. */
export type RunFinishedOutcome =
  | { type: 'success'; pendingToolCallIds?: string[] }
  | { type: 'interrupt'; interrupts: Interrupt[] }
  | { type: 'cancelled' };

/** Closes a run. */
export interface RunFinishedEvent extends EventFields {
  type: 'RUN_FINISHED';
  threadId: string;
  runId: string;
  result?: unknown;
  outcome?: RunFinishedOutcome;
  usage?: TokenUsage[];
}

/** A run that failed. Nothing may follow it but another RUN_STARTED. */
export interface RunErrorEvent extends EventFields {
  type: 'RUN_ERROR';
  message: string;
  code?: string;
  usage?: TokenUsage[];
}

/** Opens a step. */
export interface StepStartedEvent extends AttributedFields {
  type: 'STEP_STARTED';
  stepName: string;
}

/** Closes a step. */
export interface StepFinishedEvent extends AttributedFields {
  type: 'STEP_FINISHED';
  stepName: string;
}

/** Opens a span of reasoning. */
export interface ReasoningStartEvent extends AttributedFields {
  type: 'REASONING_START';
  messageId: string;
}

/** Opens a reasoning message. */
export interface ReasoningMessageStartEvent extends AttributedFields {
  type: 'REASONING_MESSAGE_START';
  messageId: string;
  role: 'reasoning';
}

/** One delta of a reasoning message. */
export interface ReasoningMessageContentEvent extends AttributedFields {
  type: 'REASONING_MESSAGE_CONTENT';
  messageId: string;
  delta: string;
}

/** Closes a reasoning message. */
export interface ReasoningMessageEndEvent extends AttributedFields {
  type: 'REASONING_MESSAGE_END';
  messageId: string;
}

/** Start, delta and end of a reasoning message in one shorthand event. */
export interface ReasoningMessageChunkEvent extends AttributedFields {
  type: 'REASONING_MESSAGE_CHUNK';
  messageId?: string;
  delta?: string;
}

/** Closes a span of reasoning. */
export interface ReasoningEndEvent extends AttributedFields {
  type: 'REASONING_END';
  messageId: string;
}

/** A provider's encrypted reasoning, attached to a message or a tool call. */
export interface ReasoningEncryptedValueEvent extends AttributedFields {
  type: 'REASONING_ENCRYPTED_VALUE';
  subtype: 'tool-call' | 'message';
  entityId: string;
  encryptedValue: string;
}

/** A subagent's invocation begins, or goes on after a suspension. */
export interface SubagentStartedEvent extends EventFields {
  type: 'SUBAGENT_STARTED';
  subagentRunId: string;
  name: string;
  description?: string;
  parentSubagentRunId?: string;
  parentToolCallId?: string;
  parentMessageId?: string;
}

/** How a subagent ended that did not fail. */
export type SubagentFinishedOutcome = { type: 'success' } | { type: 'suspended'; interruptIds?: string[] };

/** A subagent's invocation ended, or is suspended. */
export interface SubagentFinishedEvent extends EventFields {
  type: 'SUBAGENT_FINISHED';
  subagentRunId: string;
  /** Any JSON but a top-level null. */
  result?: unknown;
  outcome?: SubagentFinishedOutcome;
}

/** A subagent's invocation failed. */
export interface SubagentErrorEvent extends EventFields {
  type: 'SUBAGENT_ERROR';
  subagentRunId: string;
  message: string;
  code?: string;
}

/** Every event of AG-UI 1.0. */
export type AGUIEvent =
  | TextMessageStartEvent
  | TextMessageContentEvent
  | TextMessageEndEvent
  | TextMessageChunkEvent
  | ToolCallStartEvent
  | ToolCallArgsEvent
  | ToolCallEndEvent
  | ToolCallChunkEvent
  | ToolCallResultEvent
  | StateSnapshotEvent
  | StateDeltaEvent
  | MessagesSnapshotEvent
  | ActivitySnapshotEvent
  | ActivityDeltaEvent
  | RawEvent
  | CustomEvent
  | RunStartedEvent
  | RunFinishedEvent
  | RunErrorEvent
  | StepStartedEvent
  | StepFinishedEvent
  | ReasoningStartEvent
  | ReasoningMessageStartEvent
  | ReasoningMessageContentEvent
  | ReasoningMessageEndEvent
  | ReasoningMessageChunkEvent
  | ReasoningEndEvent
  | ReasoningEncryptedValueEvent
  | SubagentStartedEvent
  | SubagentFinishedEvent
  | SubagentErrorEvent;

/** The `type` of an event. */
export type AGUIEventType = AGUIEvent['type'];
