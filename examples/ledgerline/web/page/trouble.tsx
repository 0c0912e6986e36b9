// What went wrong, in words, and the way on.
import type { Reach } from './connection.js';

export function Trouble({ error, reach, reopen }: { error: Error | undefined; reach: Reach; reopen(): void }) {
  if (error === undefined && reach === 'reached') return null;
  return (
    <div className="trouble" role="alert">
      <p>{sentence(error, reach)}</p>
      {error !== undefined && (
        <button type="button" onClick={reopen}>
          {reach === 'lost' ? 'Connect again' : 'Show the conversation as the server has it'}
        </button>
      )}
    </div>
  );
}

function sentence(error: Error | undefined, reach: Reach): string {
  if (reach === 'lost') {
    return error === undefined
      ? 'The connection dropped. Trying to reach the server again …'
      : 'The connection to the server is lost. What runs there goes on without this page.';
  }
  return /\b409\b/.test(error?.message ?? '')
    ? 'This conversation has gone on in another tab.'
    : `The run failed: ${error?.message ?? 'no reason was given'}`;
}
