// docs/ag-ui-rules.md is written from the rules themselves: `npx vitest run tests/js/ag-ui/rules-page.test.ts -u` after a change.
import { expect, test } from 'vitest';
import { specOf } from '../../../js/ag-ui/lint/rule.js';
import { RULE_GROUPS } from '../../../js/ag-ui/lint/rules.js';

function page(): string {
  const lines = [
    '# Rules of `lintEvents`',
    '',
    'What `lintEvents` of `subcontract/ag-ui` checks in a stream of AG-UI events, by the pages of the specification (1.0).',
    'An error is what some client refuses or the specification forbids; a warning is what gets lost on the way, or is',
    'against its advice. This page is written from the rules, by `tests/js/ag-ui/rules-page.test.ts`.',
  ];
  for (const { title, rules } of RULE_GROUPS) {
    lines.push(
      '',
      `## ${title}`,
      '',
      '| rule | severity | what must hold | specification |',
      '| --- | --- | --- | --- |',
    );
    for (const rule of rules) {
      lines.push(`| \`${rule.id}\` | ${rule.severity} | ${rule.sentence} | [${rule.page}](${specOf(rule)}) |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

test('the page of the rules is current', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/ag-ui-rules.md');
});
