// One set-up at a time in one working copy: two would write the same files.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { at } from './paths.mjs';
import { note } from './report.mjs';

/**
 * Waits for a set-up that runs in another process, then holds the lock while `work` runs.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(work) {
  const lock = at('.cache', 'lock');
  mkdirSync(at('.cache'), { recursive: true });
  for (let said = false; !take(lock); said = true) {
    const owner = ownerOf(lock);
    if (owner !== undefined && !isAlive(owner)) rmSync(lock, { force: true });
    else {
      if (!said)
        note(`waiting for the set-up that process ${owner} runs here (if it is another program, delete .cache/lock)`);
      await delay(500);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {string} lock */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that holds the lock, or undefined when it has just let go of it. @param {string} lock */
function ownerOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  if (!pid) return true; // written this instant
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
