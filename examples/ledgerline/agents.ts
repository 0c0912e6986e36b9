// The four research children: typed briefs in, a strict research record out.
import { type AnyTextAdapter, type AnyTool, chat, maxIterations } from '@tanstack/ai';
import { type AgentContext, defineAgent, strictResearchResult } from 'subcontract';
import { z } from 'zod';
import { type ApprovalLog, queryMerchants, queryProductionConfig, readLines, searchFiles } from './tools.js';
import { untilStopped } from './until-stopped.js';

/** What every brief says; each agent adds what its job needs. */
const brief = z.object({
  task: z.string().describe('The question, readable without any other context'),
  known: z.array(z.string()).describe('Facts to build on, each with where it comes from'),
  done_when: z.string().describe('What the record must contain to be useful'),
});

const RULES = `Work with your tools; claim nothing that they did not show you. When you are done, call research_result once.
Every claim carries its provenance (file:line, table.column, or a source and retrieved_at) and its confidence: verified (read from the source itself), inferred (concluded across sources), reported (asserted by a source and not checked).
What you took as true goes into assumptions, what you could not determine into unresolved, what you did not look at into coverage.not_searched.`;

/** One call of a child's `run`, as the demo's checks want to see it. */
export interface SeenRun {
  agent: string;
  subagentRunId: string;
  input: unknown;
  resumed: boolean;
}

export interface AgentEnvironment {
  adapter: AnyTextAdapter;
  approvals: ApprovalLog;
  runs: SeenRun[];
  /** By the id of a child, what stops it alone. Default: nothing does. */
  stops?: Map<string, AbortController>;
}

/** The children, all on one model. */
export function ledgerlineAgents(env: AgentEnvironment) {
  /** What the four have in common: the model, the rules, the brief as first message, the return tool. */
  function research(name: string, ctx: AgentContext<unknown>, text: string[], tools: AnyTool[]) {
    const { subagentRunId, input, threadId, runId } = ctx;
    env.runs.push({ agent: name, subagentRunId, input, resumed: ctx.resume !== undefined });
    const abortController = new AbortController();
    env.stops?.set(subagentRunId, abortController);
    const run = chat({
      adapter: env.adapter,
      systemPrompts: [`You are ${name}, a subagent of Ledgerline's payments assistant.\n${RULES}`],
      messages: ctx.seed([{ role: 'user' as const, content: text.join('\n') }]),
      tools: [...tools, ...ctx.tools],
      agentLoopStrategy: maxIterations(20),
      threadId,
      runId,
      abortController,
      ...(ctx.parentRunId !== undefined && { parentRunId: ctx.parentRunId }),
      ...(ctx.resume !== undefined && { resume: ctx.resume }),
    });
    return untilStopped(run, abortController.signal, { threadId, runId });
  }

  return [
    defineAgent({
      name: 'changelog_analyst',
      description: "Reads a provider's changelog: what changes, when, and for which requests.",
      inputSchema: brief.extend({ provider: z.string(), version: z.string() }),
      outputSchema: strictResearchResult,
      run: (ctx) =>
        research(
          'changelog_analyst',
          ctx,
          [...lines(ctx.input), `Provider: ${ctx.input.provider}`, `Version: ${ctx.input.version}`],
          [searchFiles, readLines],
        ),
    }),
    defineAgent({
      name: 'adapter_auditor',
      description: 'Reads our adapter and routing code: which code paths do what, and when.',
      inputSchema: brief.extend({ version: z.string(), folders: z.array(z.string()).min(1) }),
      outputSchema: strictResearchResult,
      // Its first return breaks the contract in three places: told of all of them, it mends them at once.
      earlyReject: false,
      run: (ctx) =>
        research(
          'adapter_auditor',
          ctx,
          [...lines(ctx.input), `Version: ${ctx.input.version}`, `In: ${ctx.input.folders.join(', ')}`],
          [searchFiles, readLines],
        ),
    }),
    defineAgent({
      name: 'config_analyst',
      description: 'Queries the merchant configuration table: which merchants a rule applies to.',
      inputSchema: brief.extend({ rules: z.array(z.string()).min(1) }),
      outputSchema: strictResearchResult,
      run: (ctx) =>
        research(
          'config_analyst',
          ctx,
          [...lines(ctx.input), ...ctx.input.rules.map((rule) => `Rule: ${rule}`)],
          [queryMerchants, searchFiles, readLines],
        ),
    }),
    defineAgent({
      name: 'production_checker',
      description:
        'Compares the table with what production runs, for at most 5 merchants. Reading production needs an approval.',
      inputSchema: brief.extend({ merchant_ids: z.array(z.string()).min(1).max(5) }),
      outputSchema: strictResearchResult,
      run: (ctx) =>
        research(
          'production_checker',
          ctx,
          [...lines(ctx.input), `Merchants: ${ctx.input.merchant_ids.join(', ')}`],
          [queryMerchants, queryProductionConfig(env.approvals)],
        ),
    }),
  ];
}

function lines(input: z.infer<typeof brief>): string[] {
  return [`Task: ${input.task}`, ...input.known.map((fact) => `Known: ${fact}`), `Done when: ${input.done_when}`];
}
