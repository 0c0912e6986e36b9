// Writes the run to a terminal as it happens: plain text at 100 columns, colours on a terminal only.
import { styleText } from 'node:util';

const WIDTH = 98;

export type Ink = 'plain' | 'dim' | 'bold' | 'good' | 'warn' | 'bad' | 'name';

const FORMATS: Record<Exclude<Ink, 'plain'>, Parameters<typeof styleText>[0]> = {
  dim: 'dim',
  bold: 'bold',
  good: 'green',
  warn: 'yellow',
  bad: 'red',
  name: 'cyan',
};

export interface Printer {
  ink(text: string, ink: Ink): string;
  /** Paragraphs, wrapped, the first line with a label and the others indented below its text. */
  say(text: string, options?: { label?: string; indent?: number; ink?: Ink }): void;
  line(text?: string): void;
  heading(text: string): void;
  table(head: string[], rows: string[][]): void;
}

/** `colours` is decided by the caller; without them the text is the same. */
export function printer(write: (text: string) => void, colours: boolean): Printer {
  const ink = (text: string, name: Ink) =>
    colours && name !== 'plain' ? styleText(FORMATS[name], text, { validateStream: false }) : text;
  const line = (text = '') => write(`${text}\n`);
  return {
    ink,
    line,
    say(text, { label = '', indent = 0, ink: name = 'plain' } = {}) {
      const margin = ' '.repeat(indent);
      const hanging = ' '.repeat(indent + label.length);
      text.split('\n').forEach((paragraph, index) => {
        wrap(paragraph, WIDTH - hanging.length).forEach((part, row) => {
          const first = index === 0 && row === 0;
          if (part === '') line();
          else line((first ? margin + ink(label, 'dim') : hanging) + ink(part, name));
        });
      });
    },
    heading(text) {
      line();
      line(ink(text, 'bold'));
      line(ink('-'.repeat(Math.min(text.length, WIDTH)), 'dim'));
    },
    table(head, rows) {
      const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
      const format = (row: string[]) =>
        row
          .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
          .join('   ');
      line(ink(`  ${format(head)}`, 'dim'));
      for (const row of rows) line(`  ${format(row)}`.trimEnd());
    },
  };
}

function wrap(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    if (row !== '' && row.length + 1 + word.length > width) {
      rows.push(row);
      row = word;
    } else {
      row = row === '' ? word : `${row} ${word}`;
    }
  }
  return [...rows, row];
}
