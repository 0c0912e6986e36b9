// Tokens and envelopes of version 1, read as `tests/resume_v1.rs` reads them.
import { readFileSync } from 'node:fs';
import { envelopeForModel, openResume, parseEnvelope, resumeSeal } from 'subcontract';
import { describe, expect, test } from 'vitest';
import { envelopeForEvent } from '../../../js/core.js';

interface Expect {
  thread_id?: string;
  tool_call_id?: string;
  subagent?: string;
  brief?: string;
  contract_digest?: string;
  now: number;
  bind?: string | null;
}
interface Case {
  name: string;
  token: string;
  expect: Expect;
  encrypted?: boolean;
  text: string;
  refusal: string;
  message: string;
}

function read(name: string) {
  return JSON.parse(readFileSync(new URL(`../../fixtures/resume/v1/${name}`, import.meta.url), 'utf8'));
}

const fixtures = read('tokens.json') as {
  keys: { id: string; secret: string }[];
  opened: Case[];
  refused: Case[];
  stored: { token: string; items: Record<string, string>; expect: Expect; text: string };
};
const keys = fixtures.keys.map(({ id, secret }) => ({
  id,
  secret: Uint8Array.from(secret.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
}));
const expectation = ({ thread_id, tool_call_id, subagent, brief, contract_digest }: Expect) => ({
  threadId: thread_id,
  toolCallId: tool_call_id,
  subagent,
  brief,
  contractDigest: contract_digest,
});

const open = ({ token, expect }: Case) =>
  openResume(token, { keys, now: expect.now, expect: expectation(expect), bind: expect.bind ?? undefined });
const openAsHost = ({ token, expect }: Case) =>
  resumeSeal({ keys, ...(expect.bind != null && { bind: expect.bind }) }).open(token, expectation(expect), expect.now);

describe('tokens', () => {
  test.each(fixtures.opened)('$name', async (fixture) => {
    expect(await openAsHost(fixture)).toEqual(JSON.parse(fixture.text));
    if (fixture.encrypted) expect(() => open(fixture)).toThrow(expect.objectContaining({ code: 'resume_encrypted' }));
    else expect(open(fixture)).toEqual(JSON.parse(fixture.text));
  });

  test.each(fixtures.refused)('refused: $name', async (fixture) => {
    const refusal = expect.objectContaining({
      name: 'ResumeError',
      code: fixture.refusal,
      message: fixture.message,
    });
    expect(() => open(fixture)).toThrow(refusal);
    await expect(openAsHost(fixture)).rejects.toThrow(refusal);
  });

  test('a reference, and what its store holds', async () => {
    const { token, items, expect: wire, text } = fixtures.stored;
    const store = { getItem: (key: string) => items[key] ?? null, setItem: () => {} };
    expect(await resumeSeal({ keys, store }).open(token, expectation(wire), wire.now)).toEqual(JSON.parse(text));
  });
});

describe('envelopes', () => {
  const { read: readable, refused } = read('envelopes.json') as {
    read: { name: string; text: string; forModel: string; forEvent: string }[];
    refused: { name: string; text: string }[];
  };

  test.each(readable)('$name', ({ text, forModel, forEvent }) => {
    expect(parseEnvelope(text)).toEqual(JSON.parse(text));
    expect(envelopeForModel(text)).toBe(forModel);
    expect(envelopeForEvent(text)).toBe(forEvent);
  });

  test('a byte order mark changes nothing', () => {
    const [{ text, forModel } = { text: '', forModel: '' }] = readable;
    expect(parseEnvelope(`\ufeff${text}`)).toEqual(JSON.parse(text));
    expect(envelopeForModel(`\ufeff${text}`)).toBe(forModel);
  });

  test('what is no text is misuse', () => {
    expect(() => parseEnvelope(new Uint8Array(2) as never)).toThrow(TypeError);
    expect(() => parseEnvelope(undefined as never)).toThrow(TypeError);
  });

  test('a value that JSON would rewrite is not shown to a model', () => {
    const envelope = parseEnvelope(readable[0]?.text ?? '');
    for (const [value, why] of [
      [Number.NaN, 'NaN is no JSON number'],
      [new Map(), 'Map has no JSON form'],
      [5n, 'bigint has no JSON form'],
    ]) {
      expect(() => envelopeForModel({ ...envelope, final_result: { value } })).toThrow(
        expect.objectContaining({
          code: 'envelope_unreadable',
          message: `this is no envelope: it is no JSON at /final_result/value: ${why}`,
        }),
      );
    }
  });

  test.each(refused)('refused: $name', ({ text }) => {
    const code = expect.stringMatching(/^envelope_(unreadable|unknown_version)$/);
    expect(() => parseEnvelope(text)).toThrow(expect.objectContaining({ code }));
  });
});
