// The children's tools. They really search, read and query the fixture; nothing here is scripted.
import { toolDefinition } from '@tanstack/ai';
import { z } from 'zod';
import { MERCHANT_COLUMNS } from './fixture/src/merchant-table.js';
import { fixtureLines, fixtureText, merchantRows, READABLE_FILES } from './fixture.js';

const MAX_MATCHES = 40;

export const searchFiles = toolDefinition({
  name: 'search_files',
  description: `Finds a text, case-insensitively, in the files below a path. Returns path:line: text, at most ${MAX_MATCHES} matches.`,
  inputSchema: z.object({
    text: z.string(),
    path: z.string().describe('A file or a folder, e.g. src/ or provider/'),
  }),
}).server(({ text, path }) => {
  const files = READABLE_FILES.filter((file) => file.startsWith(path));
  if (files.length === 0) return `no readable file below ${path}`;
  const wanted = text.toLowerCase();
  const matches = files.flatMap((file) =>
    fixtureLines(file).flatMap((line, index) =>
      line.toLowerCase().includes(wanted) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
    ),
  );
  const shown = matches.slice(0, MAX_MATCHES);
  const count = `${matches.length} matches in ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  return [count, ...shown].join('\n');
});

export const readLines = toolDefinition({
  name: 'read_lines',
  description: 'Reads a range of lines of a file, with line numbers.',
  inputSchema: z.object({
    path: z.string(),
    from: z.number().int().min(1),
    to: z.number().int().min(1),
  }),
}).server(({ path, from, to }) => {
  if (!READABLE_FILES.includes(path)) return `no readable file ${path}`;
  const lines = fixtureLines(path);
  const last = Math.min(to, lines.length);
  const range = lines.slice(from - 1, last).map((line, index) => `${from + index}\t${line}`);
  return [`${path}, lines ${from}-${last} of ${lines.length}`, ...range].join('\n');
});

export const queryMerchants = toolDefinition({
  name: 'query_merchants',
  description:
    'Selects rows of the merchant configuration table. Conditions are joined by "and"; "" stands for an empty cell.',
  inputSchema: z.object({
    where: z.array(z.object({ column: z.enum(MERCHANT_COLUMNS), is_one_of: z.array(z.string()) })),
    columns: z.array(z.enum(MERCHANT_COLUMNS)).min(1),
  }),
}).server(({ where, columns }) => {
  const all = merchantRows();
  const rows = all.filter((row) => where.every((condition) => condition.is_one_of.includes(row[condition.column])));
  const table = rows.map((row) => columns.map((column) => row[column]).join(','));
  return [`${rows.length} of ${all.length} rows match`, columns.join(','), ...table].join('\n');
});

/** What happened to the tool that needs an approval, for the run's own checks. */
export interface ApprovalLog {
  executions: { merchant_ids: string[]; reason: string }[];
}

interface RuntimeConfig {
  source: string;
  taken_at: string;
  merchants: Record<string, unknown>;
}

/** Reads production configuration, after a person's approval, for the merchants named and no others. */
export function queryProductionConfig(log: ApprovalLog) {
  return toolDefinition({
    name: 'query_production_config',
    description:
      'Reads the configuration that production runs for the named merchants (at most 5). Needs the approval of the on-call lead.',
    inputSchema: z.object({
      merchant_ids: z.array(z.string()).min(1).max(5),
      reason: z.string(),
    }),
    needsApproval: true,
  }).server(({ merchant_ids, reason }) => {
    log.executions.push({ merchant_ids, reason });
    const config = JSON.parse(fixtureText('production/runtime-config.json')) as RuntimeConfig;
    const merchants = Object.fromEntries(
      merchant_ids.map((id) => [id, config.merchants[id] ?? 'not in this snapshot']),
    );
    return JSON.stringify({ source: config.source, taken_at: config.taken_at, merchants });
  });
}
