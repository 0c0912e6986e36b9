// The page's beginning: the core, the styles, and the conversation that the address names.
import 'subcontract';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

const root = document.getElementById('page');
if (root === null) throw new Error('the page has no element to be in');
createRoot(root).render(<App threadId={threadInAddress()} />);

/** A reload, and a second tab with the same address, see the same conversation; the bare address begins another. */
function threadInAddress(): string {
  const address = new URL(location.href);
  const named = address.searchParams.get('thread');
  if (named) return named;
  const threadId = crypto.randomUUID();
  address.searchParams.set('thread', threadId);
  history.replaceState(null, '', address);
  return threadId;
}
