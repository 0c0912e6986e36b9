// The tool by which a child with a contract hands back its return.

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
