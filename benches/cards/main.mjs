// In the page: a mounted card, and a large return in many small deltas pushed into it as fast as tasks come.
import 'subcontract';
import 'subcontract/styles.css';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { defineAgent, delegate, researchResult } from 'subcontract';
import { createCardStore, SubagentCard } from 'subcontract/react';
import { researchRecord } from '../documents.mjs';

/** What came of one stream. @typedef {{ longTasks: number[], frames: number, commits: number, totalMs: number, pushMs: number }} Streamed */

/** @type {import('subcontract').AGUIEvent[]} */
let events = [];

/** Makes what is to be streamed: a task of its own, which is none of the card's. @param {{ bytes: number, deltas: number }} of */
async function prepare({ bytes, deltas }) {
  events = await eventsOf(researchRecord(bytes), deltas);
}

/** @returns {Promise<Streamed>} */
async function stream() {
  const store = createCardStore({ agents: [{ name: 'researcher', outputSchema: researchResult }] });
  const place = document.createElement('div');
  document.getElementById('page')?.append(place);
  const root = createRoot(place);
  root.render(createElement(SubagentCard, { id: 'bench', store }));
  await settled();

  const watching = watch(place);
  const began = performance.now();
  let pushMs = 0;
  for (const event of events) {
    const start = performance.now();
    store.push(event);
    pushMs += performance.now() - start;
    await task();
  }
  await settled();
  const totalMs = performance.now() - began;
  const seen = watching.stop();
  const findings = store.snapshot().byId.get('bench')?.return?.value;
  if (!place.textContent?.includes('capture.ts') || findings === undefined)
    throw new Error('the card shows no findings');
  root.unmount();
  place.remove();
  store.clear();
  return { ...seen, totalMs, pushMs };
}

/** What a child's run sends when it returns the text, before anything is mounted. @param {string} text @param {number} deltas */
async function eventsOf(text, deltas) {
  const researcher = defineAgent({
    name: 'researcher',
    description: 'Researches.',
    outputSchema: researchResult,
    async *run(ctx) {
      const toolCallId = 'return-1';
      yield { type: 'RUN_STARTED', threadId: ctx.threadId, runId: ctx.runId };
      yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: ctx.returnTool?.name ?? '' };
      for (let part = 0; part < deltas; part++) {
        const [from, to] = [part, part + 1].map((at) => Math.floor((at * text.length) / deltas));
        yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: text.slice(from, to) };
      }
      yield { type: 'TOOL_CALL_END', toolCallId };
      yield { type: 'RUN_FINISHED', threadId: ctx.threadId, runId: ctx.runId };
    },
  });
  const events = [];
  for await (const event of delegate(researcher, undefined, { subagentRunId: 'bench' })) events.push(event);
  return events;
}

/** The browser's own account of tasks over 50 ms, and in how many frames the card's elements changed how often. @param {Node} place */
function watch(place) {
  /** @type {number[]} */
  const longTasks = [];
  let frames = 0;
  let commits = 0;
  let running = true;
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  });
  tasks.observe({ type: 'longtask' });
  const changes = new MutationObserver(() => {
    commits += 1;
  });
  changes.observe(place, { subtree: true, childList: true, characterData: true, attributes: true });
  const frame = () => {
    frames += 1;
    if (running) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  return {
    stop() {
      running = false;
      for (const { duration } of tasks.takeRecords()) longTasks.push(duration);
      tasks.disconnect();
      changes.disconnect();
      return { longTasks, frames, commits };
    },
  };
}

const channel = new MessageChannel();
channel.port1.start();

/** The next task: what arrives over a network is read in tasks of its own. */
function task() {
  return new Promise((resolve) => {
    channel.port1.addEventListener('message', resolve, { once: true });
    channel.port2.postMessage(undefined);
  });
}

/** Until what was last pushed is on the page. */
async function settled() {
  for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve, 100));
}

Object.assign(globalThis, { prepare, stream });
document.body.dataset.ready = 'true';
