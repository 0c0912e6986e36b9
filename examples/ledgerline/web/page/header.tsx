// The top of the page: whose assistant this is, what its model is, and how the children stand.
import { type Card, useSubagentCards } from 'subcontract/react';
import type { About } from './server.js';

export function Header({ about, busy, lost }: { about: About; busy: boolean; lost: boolean }) {
  const { cards } = useSubagentCards();
  return (
    <header className="top">
      <div>
        <h1>Ledgerline</h1>
        <p className="model">Model: {about.model}</p>
      </div>
      <p className="standing" role="status">
        {lost ? 'Not connected' : standing(cards, busy)}
      </p>
      <a className="quiet" href="/">
        New conversation
      </a>
    </header>
  );
}

function standing(cards: readonly Card[], busy: boolean): string {
  const count = (status: Card['status']) => cards.filter((card) => card.status === status).length;
  const running = busy ? count('running') : 0;
  const waiting = count('suspended');
  const over = running + waiting === 0 && cards.length > 0;
  const parts = [
    running > 0 ? `${subagents(running)} at work` : '',
    waiting > 0 ? `${waiting} waiting for you` : '',
    over ? `${count('finished')} of ${subagents(cards.length)} finished` : '',
    over && count('failed') > 0 ? `${count('failed')} failed` : '',
    over && count('cancelled') > 0 ? `${count('cancelled')} cancelled` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

const subagents = (number: number) => `${number} ${number === 1 ? 'subagent' : 'subagents'}`;
