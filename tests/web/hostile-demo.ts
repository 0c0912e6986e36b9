// The demo's server with a model whose child writes what it should not: started as the demo is.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect } from '../../examples/ledgerline/provider.js';
import type { Script } from '../../examples/ledgerline/script/turn.js';
import { startPageServer } from '../../examples/ledgerline/web/server.js';
import * as text from './hostile-texts.js';

const record = {
  findings: [
    { claim: `${text.SCRIPT} ${text.IMAGE}`, provenance: [text.SOURCE, text.LINK], confidence: 'verified' },
    { claim: `${text.TRACKER} ${text.BIDI} ${text.STYLE}`, provenance: [text.FRAME], confidence: 'reported' },
  ],
  assumptions: [text.DELIMITER],
  unresolved: [{ question: `${text.ZERO_WIDTH} ${text.IMAGE}`, would_settle_it: text.LINK }],
  coverage: { searched: [text.CONTROL], not_searched: [text.BIDI] },
  effort: { tool_calls: 1, budget_exhausted: false },
};

const scripts: Script[] = [
  {
    speaker: 'You are the payments assistant of Ledgerline',
    turns: [
      {
        text: `I delegate. ${text.IMAGE}`,
        calls: [
          {
            name: 'adapter_auditor',
            args: { task: text.SCRIPT, known: [text.BIDI], done_when: text.TRACKER, version: '1', folders: ['src'] },
          },
        ],
      },
      { text: `Done. ${text.SCRIPT} ${text.BIDI}` },
    ],
  },
  {
    speaker: 'You are adapter_auditor',
    turns: [
      { text: text.IMAGE, calls: [{ name: 'search_files', args: { text: text.SCRIPT, path: text.BIDI } }] },
      // Refused: what is wrong with it is quoted in its issues.
      { text: text.FRAME, calls: [{ name: 'research_result', args: { ...record, [text.IMAGE]: text.BIDI } }] },
      { calls: [{ name: 'research_result', args: record }] },
    ],
  },
  { speaker: 'You summarise the work of a subagent', turns: [{ text: text.SCRIPT }] },
];

const { values } = parseArgs({
  options: { web: { type: 'boolean' }, port: { type: 'string' }, delay: { type: 'string' } },
});
const provider = await connect({}, { chunkDelayMs: Number(values.delay), scripts });
const page = fileURLToPath(new URL('../../.cache/ledgerline-page', import.meta.url));
const { url } = await startPageServer({ provider, page, port: Number(values.port) });
console.log(`page ${url}`);
