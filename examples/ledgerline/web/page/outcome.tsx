// What the children's records come to once they are there: one merged record, and what it all takes of the parent's window.
import { useEffect, useMemo, useState } from 'react';
import {
  compileContract,
  mergeResults,
  renderForParent,
  type StrictResearchResult,
  strictResearchResult,
} from 'subcontract';
import { type Card, useSubagentCards } from 'subcontract/react';
import type { Figures } from '../../measure.js';
import { MergedRecord } from './merged-record.js';
import { figures } from './server.js';
import { WindowChart } from './window-chart.js';

const contract = compileContract(strictResearchResult);

export function Outcome({ threadId, busy }: { threadId: string; busy: boolean }) {
  const { cards } = useSubagentCards();
  const finished = cards.filter(({ status }) => status === 'finished');
  const open = cards.some(({ status }) => status === 'running' || status === 'suspended');
  if (busy || open || finished.length === 0) return null;
  return <Settled threadId={threadId} cards={finished} />;
}

function Settled({ threadId, cards }: { threadId: string; cards: readonly Card[] }) {
  const ids = cards.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a finished card changes no more
  const merged = useMemo(() => mergedOf(cards), [ids]);
  const [measured, setMeasured] = useState<Figures | 'failed'>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the figures are those of the finished cards
  useEffect(() => {
    let wanted = true;
    figures(threadId).then(
      (found) => wanted && setMeasured(found ?? 'failed'),
      () => wanted && setMeasured('failed'),
    );
    return () => {
      wanted = false;
    };
  }, [threadId, ids]);

  return (
    <div className="outcome">
      {merged?.record && <MergedRecord record={merged.record} agents={merged.agents} rendered={merged.rendered} />}
      {measured === undefined ? (
        <p className="panel note">Measuring the parent’s window: each transcript is summarised for comparison …</p>
      ) : (
        measured !== 'failed' && <WindowChart figures={measured} />
      )}
    </div>
  );
}

/** Merged in the page, from the records that its own core has judged. */
function mergedOf(cards: readonly Card[]) {
  const children = cards.flatMap(({ id, agent, return: returned }) =>
    returned?.source === 'envelope'
      ? [{ id, subagent: agent, result: returned.value as unknown as StrictResearchResult }]
      : [],
  );
  if (children.length === 0) return undefined;
  const whole = mergeResults<StrictResearchResult>(contract, children);
  const rendering = renderForParent(whole, { maxTokens: Number.MAX_SAFE_INTEGER, contract });
  return {
    record: whole.merged,
    agents: new Map(cards.map(({ id, agent }) => [id, agent])),
    rendered: 'text' in rendering ? rendering.text : '',
  };
}
