// The children's records as one: what is open first, then what was found, each claim with the child it comes from.
import type { MergedResearchResult } from 'subcontract';
import { visibleText } from 'subcontract/react';

export interface MergedRecordProps {
  record: MergedResearchResult;
  /** Names of agents by the id of their child. */
  agents: ReadonlyMap<string, string>;
  /** The same as a model reads it. */
  rendered: string;
}

export function MergedRecord({ record, agents, rendered }: MergedRecordProps) {
  const { findings, assumptions, unresolved, coverage } = record;
  const gaps = [...(coverage.not_searched ?? []), ...(coverage.partly_declared ?? []).map(({ value }) => value)];
  const by = (ids: string[]) => [...new Set(ids.map((id) => agents.get(id) ?? id))].join(', ');
  return (
    <section className="panel record" aria-labelledby="record-title">
      <h2 id="record-title">The merged record</h2>
      <p className="note">
        {counted(agents.size, 'record')}, merged mechanically in this page: {counted(findings.length, 'finding')},{' '}
        {counted(unresolved.length, 'open question')}, {counted(assumptions.length, 'assumption')},{' '}
        {counted(gaps.length, 'gap')}. Nothing that a subagent hedged is gone.
      </p>
      <Texts title="Open questions" texts={unresolved.map(({ question }) => question)} open />
      <Texts title="Assumptions" texts={assumptions} open />
      <Texts title="Not searched" texts={gaps} />
      <details>
        <summary>
          Findings <span className="count">{findings.length}</span>
        </summary>
        <ul>
          {findings.map(({ claim, confidence, by_child }) => (
            <li key={claim}>
              <span className={`confidence ${confidence}`}>{confidence}</span> {visibleText(claim)}{' '}
              <span className="by">{by(by_child.map(({ id }) => id))}</span>
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>As a model reads it</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to from the keyboard as well */}
        <pre tabIndex={0}>{rendered}</pre>
      </details>
    </section>
  );
}

function Texts({ title, texts, open = false }: { title: string; texts: string[]; open?: boolean }) {
  if (texts.length === 0) return null;
  return (
    <details open={open}>
      <summary>
        {title} <span className="count">{texts.length}</span>
      </summary>
      <ul>
        {texts.map((text) => (
          <li key={text}>{visibleText(text)}</li>
        ))}
      </ul>
    </details>
  );
}

const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
