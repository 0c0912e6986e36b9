/**
 * Typed contracts between a parent agent and its subagents.
 *
 * A parent writes a short, typed brief ({@link AgentDefinition.inputSchema}); the child works on that alone and hands
 * back a record that satisfies a schema ({@link AgentDefinition.outputSchema}). A return that does not is refused back
 * to the child with feedback, a bounded number of times, and never reaches the parent.
 *
 * - {@link defineAgent} declares a child, {@link delegate} runs it and gives its events and its envelope.
 * - {@link delegateAll} runs several, at once or one after another; {@link Limits} hold for the whole tree of them.
 * - {@link delegateTaskTool} is one tool by which a parent's model delegates to any of its agents.
 * - {@link compileContract} and {@link readReturn} are the gate's judgement alone, for hosts with their own loop.
 * - {@link assembleToolCalls} puts tool calls together from a provider's deltas, for the same hosts.
 * - {@link parseEnvelope} and {@link envelopeForModel} read what a parent gets.
 *
 * @module
 */
export type {
  AGUIEvent,
  Interrupt,
  ResumeEntry,
  TokenUsage,
} from './ag-ui/events.js';
export type { AgentContext, SeedMessage } from './child/context.js';
export type { HistoryMessage } from './child/history.js';
export type { ReturnTool } from './child/return-tool.js';
export {
  type AssembledToolCall,
  assembleToolCalls,
  type ToolCallAssembly,
  type ToolCallDelta,
  type ToolCallFault,
  type ToolCallFaultCode,
} from './child/tool-call-assembly.js';
export {
  type CompileOptions,
  type Contract,
  compileContract,
  isContract,
  type ReadOptions,
  readReturn,
} from './contract.js';
export {
  type AttemptCode,
  briefToolDescription,
  type Flag,
  type Issue,
  type Json,
  openResumeState,
  type ReadonlyJson,
  type Rejection,
  type ResumeExpectation,
  type Verdict,
  type VerdictCode,
  type Via,
} from './core.js';
export {
  type AgentDeclaration,
  type AgentDefinition,
  type AgentSchema,
  type ChildEvent,
  defineAgent,
  type InferIn,
  type InferOut,
  type InferredRun,
  type InputOf,
  type ResultOf,
  type ReturnOf,
  type RunOutput,
  type ShownSchema,
  type SubcontractAgent,
} from './define-agent.js';
export { type DelegateOptions, type Delegation, delegate } from './delegate.js';
export {
  type ChildrenOf,
  type DelegateAllOptions,
  type DelegateCall,
  type DelegatedChild,
  type Delegations,
  delegateAll,
  type EnvelopesOf,
} from './delegate-all.js';
export {
  type DelegatedTask,
  type DelegateTaskOptions,
  type DelegateTaskTool,
  delegateTaskTool,
} from './delegate-task-tool.js';
export type { EarlierResult } from './earlier.js';
export {
  type Amendment,
  type AttemptRecord,
  type ContractRef,
  type Degradation,
  type EnvelopeStatus,
  envelopeForModel,
  type MeasuredEffort,
  parseEnvelope,
  type ResultEnvelope,
} from './envelope.js';
export {
  BriefError,
  GuardError,
  ResumeError,
  RouterPickError,
  SchemaError,
  SubagentContractError,
  SubcontractError,
} from './errors.js';
export { type Answer, type FollowUp, followUps, markSettled } from './follow-ups.js';
export type {
  Evidence,
  Guard,
  GuardCheck,
  GuardContext,
  GuardFinding,
  ToolCallEvidence,
} from './guards.js';
export type { HostRunContext } from './host/context.js';
export type { ParentContext } from './joined.js';
export { type DelegationTree, delegationTree, type Limits } from './limits.js';
export {
  type ByChild,
  type ChildResult,
  type Disagreement,
  type Mergeable,
  type Merged,
  type MergedChild,
  type MergeOptions,
  mergedContract,
  mergeResults,
  mergeResultsText,
  type Settled,
} from './merge.js';
export type {
  DelegationAttemptEvent,
  DelegationEvent,
  DelegationEventBase,
  DelegationMeasure,
  DelegationObserver,
} from './observe.js';
export type { Present, PresentBudget } from './present.js';
export { raisedInterrupts, resumeTokenIn, resumeTokenOf } from './raise.js';
export { guards } from './records/guards.js';
export type { MergedFinding, MergedResearchResult, PartlyDeclared } from './records/merged-research.js';
export {
  type ClaimedEffort,
  type Confidence,
  type Coverage,
  type ExtendOptions,
  extendResearchResult,
  type Finding,
  type OpenQuestion,
  type ResearchResult,
  type ResearchSchema,
  researchResult,
  type StrictResearchResult,
  strictResearchResult,
} from './records/research-result.js';
export { type Rendering, type RenderOptions, renderForParent } from './render.js';
export type { ResumeState } from './resume.js';
export { type ResumeSeal, resumeSeal, type Seal, type SealOptions } from './resume-seal.js';
export {
  type AgentPick,
  type Order,
  type PlannedChild,
  type PlannedStep,
  type RouterPick,
  type RouterPickOptions,
  type RouterPlan,
  type RouterStep,
  resolveRouterPick,
} from './router-picks.js';
export {
  type OpenResumeOptions,
  openResume,
  type SealedExpectation,
  type SealResumeOptions,
  sealResume,
} from './seal.js';
export type { SealKey } from './seal-keys.js';
export type { SealTerms } from './sealed-token.js';
export { type LaterActs, type SlotUse, slotUse } from './slot-use.js';
export { memoryResumeStore, type ResumeStore, type StoredFor } from './stores/resume-store.js';
export type { ContractStream, Intake, StreamOptions, StreamStatus } from './stream.js';
export {
  type RecordOptions,
  recordTranscripts,
  type Transcript,
  type TranscriptCall,
  type TranscriptKeeping,
  TranscriptRecorder,
  type TranscriptText,
} from './transcript.js';
export { type TranscriptSpanOptions, type TranscriptSpanTool, transcriptSpanTool } from './transcript-span.js';
export {
  type KeyValueStorage,
  memoryTranscripts,
  type TranscriptStore,
  unstorageTranscripts,
} from './transcript-store.js';
