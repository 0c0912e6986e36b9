// Serves the scripted turns over the OpenAI wire format, on loopback, in this process.
import { type ChatCompletionRequest, type ChatMessage, getTextContent, LLMock } from '@copilotkit/aimock';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { adapterAuditor } from './adapter-auditor.js';
import { changelogAnalyst } from './changelog-analyst.js';
import { configAnalyst } from './config-analyst.js';
import { followUp, parent, parentAtOnce } from './parent.js';
import { productionChecker } from './production-checker.js';
import { summaries } from './summaries.js';
import type { Script, Turn } from './turn.js';

const SCRIPTS = [
  parent,
  parentAtOnce,
  followUp,
  changelogAnalyst,
  adapterAuditor,
  configAnalyst,
  productionChecker,
  ...summaries,
];

export interface ScriptedModel {
  baseURL: string;
  stop(): Promise<void>;
}

/** Starts the mock. A request that no scripted turn fits is answered with an error, never with a guess. */
export async function startScriptedModel(chunkDelayMs: number, scripts: Script[] = SCRIPTS): Promise<ScriptedModel> {
  const mock = new LLMock({ host: '127.0.0.1', port: 0, strict: true, chunkSize: 32, latency: chunkDelayMs });
  for (const script of scripts) {
    script.turns.forEach((place, index) => {
      for (const turn of [place].flat()) {
        mock.on({ endpoint: 'chat', predicate: (request) => isTurn(script, turn, index, request) }, (request) =>
          answer(script, turn, index, request),
        );
      }
    });
  }
  await mock.start();
  return { baseURL: `${mock.url}/v1`, stop: () => mock.stop() };
}

/** A turn is due when its speaker is asked, after as many turns of its own, having seen what it needs. */
function isTurn(script: Script, turn: Turn, index: number, { messages }: ChatCompletionRequest): boolean {
  const said = (role: ChatMessage['role']) =>
    messages.filter((message) => message.role === role).map((message) => getTextContent(message.content) ?? '');
  if (!said('system').some((text) => text.includes(script.speaker))) return false;
  if (script.about !== undefined && !said('user').at(-1)?.includes(script.about)) return false;
  if (ownTurns(messages) !== index) return false;
  const seen = toolTexts(messages);
  return (turn.after ?? []).every((text) => seen.includes(text));
}

/** What the tools have said. */
function toolTexts(messages: ChatMessage[]): string {
  return messages
    .filter(({ role }) => role === 'tool')
    .map((message) => getTextContent(message.content) ?? '')
    .join('\n');
}

/** The speaker's turns since the last message of a person; earlier ones were not scripted here. */
function ownTurns(messages: ChatMessage[]): number {
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  return messages.slice(lastUser + 1).filter((message) => message.role === 'assistant').length;
}

function answer(script: Script, turn: Turn, index: number, { messages }: ChatCompletionRequest) {
  const toolCalls = (turn.calls ?? []).map(({ name, args }, call) => ({
    id: `call_${slug(script)}_${index + 1}_${call + 1}`,
    name,
    arguments: JSON.stringify(typeof args === 'function' ? args(toolTexts(messages)) : args),
  }));
  const said = [turn.text ?? '', ...toolCalls.map((call) => call.name + call.arguments)].join('');
  return {
    content: turn.text ?? '',
    ...(toolCalls.length > 0 && { toolCalls }),
    // Counted as the figures are, so that the usage that rolls up is of the right size.
    usage: {
      prompt_tokens: countTokens(JSON.stringify(messages)),
      completion_tokens: countTokens(said),
    },
  };
}

function slug({ speaker, about }: Script): string {
  return (about ?? speaker).replace(/^.*(?:You are|Subagent:) (?:the )?/, '').split(' ', 1)[0] ?? '';
}
