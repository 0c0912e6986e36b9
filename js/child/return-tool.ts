// The tool by which a child with a contract hands back its return.
import type { Contract } from '../contract.js';
import type { GateDecision } from '../gate.js';
import { noJson, toJsonText } from '../json-text.js';
import { toolSchema } from '../tool-schema.js';

/** A plain tool object: usable as it is in TanStack AI's `chat({ tools })`, and easy to adapt elsewhere. */
export interface ReturnTool {
  name: string;
  description: string;
  /** Plain JSON Schema of the arguments. */
  inputSchema: Record<string, unknown>;
  /**
   * Judges a return. Resolves to what the child's model reads as the tool's result: feedback, or that it was accepted.
   * The gate reads the exact argument text from the child's TOOL_CALL_ARGS of `toolCallId`, and `args` only without it.
   */
  execute(args: unknown, context?: { toolCallId?: string }): Promise<string>;
}

/** What the child's model reads when its return was accepted. */
export const ACCEPTED = 'The return was accepted. Your task is done; do nothing more.';
const ALREADY_ACCEPTED = 'A return was already accepted. Your task is done; do nothing more.';
const OVER = 'Your task is over; no further return is taken.';

/** What became of a call: the gate's decision, or why there is none. */
export type Judged = GateDecision | 'accepted before' | 'over';

/** Who judges what the tool was called with. */
export interface ReturnDesk {
  /** The argument text as the child's stream had it. */
  argumentsOf(toolCallId: string): string | undefined;
  /** Judges one return, after those before it. */
  judge(raw: string, toolCallId: string | undefined): Promise<Judged>;
}

/** The return tool of `contract`. Calls are judged one after the other, in the order they come. */
export function createReturnTool(contract: Contract, desk: ReturnDesk): ReturnTool {
  const { name, description, inputSchema } = contract.handle.returnTool();
  return {
    name,
    description,
    inputSchema: toolSchema(inputSchema),
    async execute(args, context) {
      const toolCallId = context?.toolCallId;
      const seen = toolCallId === undefined ? undefined : desk.argumentsOf(toolCallId);
      const judged = await desk.judge(seen || argumentText(args), toolCallId);
      if (judged === 'accepted before') return ALREADY_ACCEPTED;
      if (judged === 'over') return OVER;
      switch (judged.action) {
        case 'accept':
          return ACCEPTED;
        case 'retry':
          return judged.feedback;
        default:
          return judged.message;
      }
    },
  };
}

function argumentText(args: unknown): string {
  // Some hosts hand over the argument text as it is.
  if (typeof args === 'string') return args;
  if (args === undefined) return '';
  const json = toJsonText(args);
  if (json.ok) return json.text;
  throw new TypeError(`the return is ${noJson(json)}`);
}
