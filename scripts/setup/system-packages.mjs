// Debian packages: what is installed, and installing the rest after asking.
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { note, SetupError, say } from './report.mjs';
import { capture, must, run } from './run.mjs';

export const isDebian = () =>
  existsSync('/etc/os-release') && /^ID(_LIKE)?=.*\bdebian\b/m.test(readFileSync('/etc/os-release', 'utf8'));

export const isRoot = () => process.getuid?.() === 0;

/** The packages of the list that are not installed. @param {string[]} packages */
export function missingPackages(packages) {
  return packages.filter((name) => !capture('dpkg', ['-s', name])?.includes('\nStatus: install ok installed'));
}

/**
 * Installs the packages that are missing.
 * @param {string[]} packages @param {{ why: string, remedy: string, yes: boolean }} options
 */
export async function installPackages(packages, { why, remedy, yes }) {
  const missing = missingPackages(packages);
  if (missing.length === 0) return;
  say(`install ${missing.join(' ')} with apt-get`, why);
  await confirm('install these system packages?', { remedy, yes });
  // An outdated index only matters when the install then fails, which says so itself.
  if ((await run('apt-get', ['update', '-qq'])) !== 0) note('apt-get update failed; trying with the index as it is');
  await must('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    remedy,
  });
}

/**
 * Asks before something outside the repository changes; a CI run or a pipe cannot answer and is taken as yes.
 * @param {string} question @param {{ remedy: string, yes: boolean }} options
 */
export async function confirm(question, { remedy, yes }) {
  if (yes || process.env.CI || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`  ${question} [Y/n] `);
  prompt.close();
  if (!/^(y(es)?)?$/i.test(answer.trim())) throw new SetupError('declined', remedy);
}
