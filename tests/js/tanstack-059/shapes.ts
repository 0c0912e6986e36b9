// The shapes of a DefinedAgent as TanStack AI documents them: of 0.59, the first, and of the newest. Facts, in our words.
import type {
  AnyTool,
  InferSchemaType,
  InterruptDefinition,
  ModelMessage,
  SchemaInput,
  StreamChunk,
  UIMessage,
} from '@tanstack/ai';
import type { AnyClientTool, RunAgentResumeItem } from '@tanstack/ai/client';

// biome-ignore lint/suspicious/noExplicitAny: any interrupt, as TanStack has it
type AnyInterrupt = InterruptDefinition<any, any, any, any>;

/** What an agent's `run` is given in 0.59. */
export interface RunContext059 {
  messages: Array<UIMessage | ModelMessage>;
  abortSignal?: AbortSignal;
  threadId: string;
  runId: string;
  parentRunId: string;
  resume?: Array<RunAgentResumeItem>;
  subagentRunId: string;
  parentSubagentRunId?: string;
}

/** The agent of 0.59, before `inputSchema`. */
export interface DefinedAgent059<
  Name extends string = string,
  Tools extends ReadonlyArray<AnyTool | AnyClientTool> = ReadonlyArray<AnyTool | AnyClientTool>,
  Schema extends SchemaInput | undefined = SchemaInput | undefined,
> {
  name: Name;
  description: string;
  run: (ctx: RunContext059) => AsyncIterable<StreamChunk> | Promise<AsyncIterable<StreamChunk>>;
  tools?: Tools;
  interrupts?: ReadonlyArray<AnyInterrupt>;
  outputSchema?: Schema;
  subagents?: unknown;
}

/** What the newest adds: the checked input, the fields to forward, the bound activities, and keys. */
export type RunContextNewest<Input extends SchemaInput | undefined> = RunContext059 & {
  input: Input extends SchemaInput ? InferSchemaType<Input> : undefined;
  forward: Pick<RunContext059, 'threadId' | 'runId' | 'parentRunId' | 'subagentRunId' | 'resume'> & {
    abortController: AbortController;
  };
  chat: (options: Record<string, unknown>) => AsyncIterable<StreamChunk>;
  keys: { get(provider: string): string | undefined };
};

/** The newest agent. Its default for the input is `any`, so that agents of every input fit in one list. */
export interface DefinedAgentNewest<
  Name extends string = string,
  Tools extends ReadonlyArray<AnyTool | AnyClientTool> = ReadonlyArray<AnyTool | AnyClientTool>,
  Schema extends SchemaInput | undefined = SchemaInput | undefined,
  // biome-ignore lint/suspicious/noExplicitAny: it is TanStack's own default
  Input extends SchemaInput | undefined = any,
  Result = unknown,
> {
  name: Name;
  description: string;
  run: (
    ctx: RunContextNewest<Input>,
  ) => AsyncIterable<StreamChunk> | Promise<AsyncIterable<StreamChunk>> | Promise<Result>;
  produces?: string;
  inputSchema?: Input;
  tools?: Tools;
  interrupts?: ReadonlyArray<AnyInterrupt>;
  outputSchema?: Schema;
  subagents?: unknown;
}
