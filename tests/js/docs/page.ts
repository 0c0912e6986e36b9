// A page of the documentation as one program: its TypeScript blocks one after the other, each with what it prints.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** One block of a page. */
export interface Block {
  /** Whether another test runs it, with what it needs around it: here it compiles. */
  elsewhere: boolean;
  /** Its first line in the page, from 1. */
  line: number;
  code: string;
  /** The block without a language directly below it: what it prints. */
  prints: string | undefined;
}

/** The TypeScript blocks of a page. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(resolve(ROOT, page), 'utf8');
  const found = text.matchAll(/^(<!-- run by [^>]*-->\n)?```tsx?\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?/gms);
  return [...found].map((match) => {
    const [, elsewhere, code = '', prints] = match;
    const line = text.slice(0, match.index).split('\n').length + (elsewhere === undefined ? 1 : 2);
    return { elsewhere: elsewhere !== undefined, line, code, prints };
  });
}

/** `import { … } from '…'`, with what is imported and where from. */
const IMPORT = /^import (type )?\{([^}]*)\} from '([^']+)';\n/gm;

/**
 * The page's program. Imports stand first, each once, whichever blocks they come from; what no block declares and `given.ts`
 * exports is imported from there. Each block says when it begins.
 */
export function programOf(blocks: readonly Block[], given: readonly string[]): string {
  const imports = new Map<string, Set<string>>();
  const bodies = blocks.map(({ code, elsewhere }, index) => {
    for (const [, type = '', names = '', from = ''] of code.matchAll(IMPORT)) {
      const known = imports.get(from) ?? new Set();
      imports.set(from, known);
      for (const name of names.split(',')) if (name.trim() !== '') known.add(type + name.trim());
    }
    const body = code.replace(IMPORT, '');
    return elsewhere ? `export const elsewhere${index} = async () => {\n${body}};\n` : body;
  });
  const imported = [...imports.values()]
    .flatMap((names) => [...names])
    .map((name) => name.replace(/^.*\bas\s+|^type /, ''));
  const all = bodies.join('\n');
  const missing = given.filter((name) => uses(all, name) && !imported.includes(name) && !declares(all, name));
  return [
    ...[...imports].map(([from, names]) => `import { ${[...names].join(', ')} } from '${from}';\n`),
    `import { ${['began', ...missing].join(', ')} } from '../../tests/js/docs/given.js';\n`,
    ...bodies.map((body, index) => `began(${index});\n${body}`),
    'export {};\n',
  ].join('');
}

function uses(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w'"-])(?<!(?<!\\.\\.)\\.)${name}\\b(?!['":])`).test(code);
}

/** At the top of the program; a parameter of the same name hides what is given. */
function declares(code: string, name: string): boolean {
  return new RegExp(
    `^(?:export )?(?:const|let|function|class) (?:${name}\\b|[{[][^=]*\\b${name}\\b[^=]*[}\\]] =)`,
    'm',
  ).test(code);
}
