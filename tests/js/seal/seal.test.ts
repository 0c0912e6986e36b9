// Sealing and opening: what comes back, what is refused, and what never shows.
import { inspect } from 'node:util';
import fc from 'fast-check';
import {
  memoryResumeStore,
  openResume,
  ResumeError,
  type ResumeState,
  resumeSeal,
  type SealKey,
  sealResume,
} from 'subcontract';
import { describe, expect, test } from 'vitest';
import { codeOf, EXPECT, HOUR, KEYS, NOW, STATE } from './keys.js';

const seal = (state: ResumeState = STATE, more: object = {}) =>
  sealResume(state, { keys: KEYS, now: NOW, ttl: HOUR, ...more });
const open = (token: string, more: object = {}) =>
  openResume(token, { keys: KEYS, now: NOW + 1, expect: EXPECT, ...more });

test('a state comes back as it was, with its end', () => {
  expect(open(seal())).toEqual({
    ...STATE,
    schema_version: 1,
    brief_digest: expect.stringMatching(/^sha256-/),
    expires_at: NOW + HOUR,
  });
});

test('the same state under the same key is the same token', () => {
  expect(seal()).toBe(seal(structuredClone(STATE)));
  expect(seal()).toMatch(/^sr1\.p\.bmV3\.[\w-]+\.[\w-]{43}$/);
});

test('an end that the state has already stays, when it is the earlier one', () => {
  expect(open(seal({ ...STATE, expires_at: NOW + 10 })).expires_at).toBe(NOW + 10);
  expect(open(seal({ ...STATE, expires_at: NOW + 2 * HOUR })).expires_at).toBe(NOW + HOUR);
});

test('it opens up to its last millisecond, and under a clock that has fractions of them', async () => {
  expect(open(seal(), { now: NOW + HOUR }).id).toBe(STATE.id);
  expect(open(sealResume(STATE, { keys: KEYS, now: NOW + 0.4, ttl: HOUR }), { now: NOW + 0.7 }).id).toBe(STATE.id);
  expect(await codeOf(() => open(seal(), { now: NOW + HOUR + 1 }))).toBe('resume_expired');
});

describe('keys', () => {
  test('a new first key seals, and the old one still opens', () => {
    const before = sealResume(STATE, { keys: KEYS.slice(1), now: NOW, ttl: HOUR });
    expect(open(before).id).toBe(STATE.id);
    expect(seal().split('.')[2]).not.toBe(before.split('.')[2]);
  });

  test('an old key that is gone opens nothing', async () => {
    const before = sealResume(STATE, { keys: KEYS.slice(1), now: NOW, ttl: HOUR });
    expect(await codeOf(() => open(before, { keys: KEYS.slice(0, 1) }))).toBe('resume_unknown_key');
  });

  const secret = new Uint8Array(32);
  const unusable: [string, unknown, string][] = [
    ['none', [], 'seal needs at least one key in keys'],
    ['no list', undefined, 'seal needs at least one key in keys'],
    ['a short secret', [{ id: 'a', secret: new Uint8Array(31) }], 'keys[0].secret must have at least 32 bytes'],
    ['a secret that is a text', [{ id: 'a', secret: 'x'.repeat(32) }], 'keys[0].secret must be a Uint8Array'],
    ['no id', [{ secret }], 'keys[0].id must be a text of 1 to 64 bytes'],
    ['an empty id', [{ id: '', secret }], 'keys[0].id must be a text of 1 to 64 bytes'],
    ['a long id', [{ id: 'é'.repeat(33), secret }], 'keys[0].id must be a text of 1 to 64 bytes'],
    ['no key', [null], 'keys[0].id must be a text of 1 to 64 bytes'],
    [
      'one id twice',
      [
        { id: 'a', secret },
        { id: 'a', secret: new Uint8Array(32).fill(1) },
      ],
      'keys[1].id is "a", as of a key before it',
    ],
  ];
  test.each(unusable)('%s', (_, keys, message) => {
    const given = keys as SealKey[];
    expect(() => sealResume(STATE, { keys: given, now: NOW, ttl: HOUR })).toThrow(new TypeError(message));
    expect(() => open(seal(), { keys: given })).toThrow(new TypeError(message));
    expect(() => resumeSeal({ keys: given })).toThrow(new TypeError(message));
  });

  test('a secret that is overwritten after it was given stays what it was', async () => {
    const passing = new Uint8Array(32).fill(3);
    const sealing = resumeSeal({ keys: [{ id: 'k', secret: passing }] });
    const token = await sealing.seal(STATE, NOW);
    passing.fill(0);
    expect((await sealing.open(token, EXPECT, NOW)).id).toBe(STATE.id);
  });

  test('no secret shows in an inspection or in an error', async () => {
    const secret = new TextEncoder().encode('a-secret-that-nobody-may-ever-see');
    const sealing = resumeSeal({ keys: [{ id: 'k', secret }], encrypt: true });
    const shown = [inspect(sealing, { depth: 20, showHidden: true }), JSON.stringify(sealing), String(sealing)];
    for (const token of ['', 'sr1.p.aw.e30', (await sealing.seal(STATE, NOW)).replace('.e.', '.p.')]) {
      try {
        await sealing.open(token, EXPECT, NOW);
      } catch (error) {
        shown.push(inspect(error, { depth: 20, showHidden: true }));
      }
    }
    expect(shown).toHaveLength(6);
    for (const text of shown) expect(text).not.toMatch(/a-secret-that|97, 45, 115|612d73/);
  });
});

describe('terms', () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, undefined])('a ttl of %s', (ttl) => {
    expect(() => seal(STATE, { ttl })).toThrow(RangeError);
    if (ttl !== undefined) expect(() => resumeSeal({ keys: KEYS, ttl })).toThrow(RangeError);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, undefined, null, '1', new Date(NOW)])(
    'a time of %s',
    async (now) => {
      expect(() => seal(STATE, { now })).toThrow(RangeError);
      // It would be compared with nothing, and the token would open for ever.
      expect(() => open(seal(), { now })).toThrow(RangeError);
      if (now !== undefined && now !== null) {
        await expect(resumeSeal({ keys: KEYS }).open(seal(), EXPECT, now as number)).rejects.toThrow(RangeError);
      }
    },
  );

  test.each([
    ['is not there', undefined, 'expect must say what was sealed'],
    ['is empty', {}, 'expect.threadId must be a text, or undefined where it is not to be compared'],
    [
      'has null in it',
      { ...EXPECT, subagent: null },
      'expect.subagent must be a text, or undefined where it is not to be compared',
    ],
    [
      'has a brief that is no text',
      { ...EXPECT, brief: { task: 'x' } },
      'expect.brief must be a text, or undefined where it is not to be compared',
    ],
    ['has a name misspelt', { ...EXPECT, thread_id: 't2' }, 'expect has an unknown field "thread_id"'],
  ])('an expectation that %s compares nothing by mistake', async (_, expected, message) => {
    const given = expected as typeof EXPECT;
    expect(() => open(seal(), { expect: given })).toThrow(new TypeError(message));
    await expect(resumeSeal({ keys: KEYS }).open(seal(), given, NOW)).rejects.toThrow(new TypeError(message));
  });

  test.each([null, '', 5])('somebody called %s', (bind) => {
    const message = 'bind must be a text that names a user or a tenant';
    expect(() => seal(STATE, { bind })).toThrow(new TypeError(message));
    expect(() => open(seal(), { bind })).toThrow(new TypeError(message));
    expect(() => resumeSeal({ keys: KEYS, bind: bind as string })).toThrow(new TypeError(message));
  });

  test.each([Number.NaN, 0, -1, null, '5'])('a limit of %s bytes', (maxBytes) => {
    expect(() => seal(STATE, { maxBytes })).toThrow(RangeError);
    expect(() => open(seal(), { maxBytes })).toThrow(RangeError);
    expect(() => resumeSeal({ keys: KEYS, maxBytes: maxBytes as number })).toThrow(RangeError);
  });

  test.each<[object, string]>([
    [{ store: null }, 'seal.store must have getItem and setItem, as a storage of unstorage has'],
    [
      { store: Promise.resolve(memoryResumeStore()) },
      'seal.store must have getItem and setItem, as a storage of unstorage has',
    ],
    [{ store: { ...memoryResumeStore(), claim: true } }, 'seal.store.claim must be a function'],
    [{ encrypt: 'false' }, 'seal.encrypt must be true or false'],
    [{ onContractChange: 'ignore' }, `seal.onContractChange must be 'refuse' or 'revalidate', not "ignore"`],
  ])('%o is misuse, before a child suspends', (options, message) => {
    expect(() => resumeSeal({ keys: KEYS, ...options })).toThrow(new TypeError(message));
  });

  test('whose it is has to be said again', async () => {
    const token = seal(STATE, { bind: 'tenant-7' });
    expect(open(token, { bind: 'tenant-7' }).bind).toBe('tenant-7');
    expect(await codeOf(() => open(token))).toBe('resume_other_bind');
    expect(await codeOf(() => open(token, { bind: 'tenant-8' }))).toBe('resume_other_bind');
    expect(await codeOf(() => open(seal(), { bind: 'tenant-7' }))).toBe('resume_other_bind');
    expect(() => resumeSeal({ keys: KEYS, bind: '' })).toThrow(TypeError);
  });

  test('another contract is refused, or the return is judged by it', async () => {
    const token = seal({ ...STATE, contract: { source: 'output_schema', digest: 'sha256-a' } });
    const expect_ = { ...EXPECT, contractDigest: 'sha256-b' };
    expect(await codeOf(() => open(token, { expect: expect_ }))).toBe('resume_contract_changed');
    expect(open(token, { expect: expect_, onContractChange: 'revalidate' }).id).toBe(STATE.id);
    const host = resumeSeal({ keys: KEYS, onContractChange: 'revalidate' });
    expect((await host.open(token, expect_, NOW)).id).toBe(STATE.id);
  });

  test('a state that is too large is refused when sealed, a token when opened', async () => {
    const large = { ...STATE, messages: [{ role: 'user' as const, content: 'x'.repeat(1 << 20) }] };
    expect(await codeOf(() => seal(large))).toBe('resume_too_large');
    const token = seal(large, { maxBytes: 2 << 20 });
    expect(await codeOf(() => open(token))).toBe('resume_too_large');
    expect(open(token, { maxBytes: 2 << 20 }).messages).toEqual(large.messages);
    expect(await codeOf(() => resumeSeal({ keys: KEYS }).seal(large, NOW))).toBe('resume_too_large');
    const exact = new TextEncoder().encode(Buffer.from(seal().split('.')[3] ?? '', 'base64url').toString()).length;
    expect(open(seal(STATE, { maxBytes: exact }), { maxBytes: exact }).id).toBe(STATE.id);
    expect(await codeOf(() => seal(STATE, { maxBytes: exact - 1 }))).toBe('resume_too_large');
  });

  test('an option that does not exist is not ignored', () => {
    expect(() => seal(STATE, { bnid: 'user' })).toThrow(new TypeError('sealResume has an unknown field "bnid"'));
    expect(() => open(seal(), { bnid: 'user' })).toThrow(new TypeError('openResume has an unknown field "bnid"'));
    expect(() => resumeSeal({ keys: KEYS, expires: 1 } as never)).toThrow('seal has an unknown field "expires"');
  });

  test('a brief that is no JSON is refused when sealed', async () => {
    expect(await codeOf(() => seal({ ...STATE, brief_text: '{' }))).toBe('resume_brief_not_json');
  });

  test.each([undefined, null, 5, new TextEncoder().encode('sr1.p.a.b.c')])(
    'what is no text is misuse: %s',
    async (token) => {
      expect(() => open(token as never)).toThrow(TypeError);
      await expect(resumeSeal({ keys: KEYS }).open(token as never, EXPECT, NOW)).rejects.toThrow(TypeError);
    },
  );
});

describe('what cannot come back as it was is refused when it is sealed', () => {
  const itself: Record<string, unknown> = {};
  itself.self = itself;
  test.each<[string, unknown, string]>([
    ['NaN', Number.NaN, 'NaN is no JSON number'],
    ['a map', new Map([[1, 2]]), 'Map has no JSON form'],
    ['a date', new Date(0), 'Date has no JSON form'],
    ['a big integer', 5n, 'bigint has no JSON form'],
    ['a function', () => 1, 'function has no JSON form'],
  ])('%s', (_, value, why) => {
    const state = { ...STATE, interrupts: [{ id: 'i1', reason: 'approval', metadata: { value } }] };
    const message = `this is no resume state: it is no JSON at /interrupts/0/metadata/value: ${why}`;
    expect(() => seal(state)).toThrow(new ResumeError(message, { code: 'resume_unreadable' }));
  });

  test.each<[string, unknown, string]>([
    [
      'a cycle',
      { ...STATE, interrupts: [{ id: 'i1', reason: 'approval', metadata: itself }] },
      'it is no JSON at /interrupts/0/metadata/self: the value contains itself',
    ],
    ['a field of no state', { ...STATE, note: 1 }, 'unknown field "note"'],
    ['no id', { ...STATE, id: null }, 'id: expected a string'],
    [
      'a message that no child has',
      { ...STATE, messages: [{ role: 'system', content: '' }] },
      'its messages or interrupts are malformed',
    ],
    ['nothing', null, 'expected an object'],
  ])('%s', (_, state, why) => {
    const error = new ResumeError(`this is no resume state: ${why}`, { code: 'resume_unreadable' });
    expect(() => seal(state as ResumeState)).toThrow(error);
  });
});

describe('a store', () => {
  test('is not asked for an id that it never had to keep', async () => {
    const asked: string[] = [];
    const store = { ...memoryResumeStore(), getItem: (key: string) => void asked.push(key) };
    const host = resumeSeal({ keys: KEYS, store });
    const reference = (id: string) => `sr1.s.${Buffer.from(id).toString('base64url')}.${'A'.repeat(43)}`;
    expect(await codeOf(() => host.open(reference('x'.repeat(256)), EXPECT, NOW))).toBe('resume_not_found');
    expect(await codeOf(() => host.open(reference('x'.repeat(257)), EXPECT, NOW))).toBe('resume_unreadable');
    expect(await codeOf(() => host.open(reference('../'.repeat(100_000)), EXPECT, NOW))).toBe('resume_unreadable');
    expect(asked).toHaveLength(1);
    expect(await codeOf(() => host.seal({ ...STATE, id: 'x'.repeat(257) }, NOW))).toBe('resume_too_large');
    expect(await host.seal({ ...STATE, id: 'x'.repeat(256) }, NOW)).toMatch(/^sr1\.s\.[\w-]{342}\.[\w-]{43}$/);
  });

  test.each(['OK', 1, undefined, null])('whose claim answers %s has not said whose the child is', async (answer) => {
    const host = resumeSeal({ keys: KEYS, store: { ...memoryResumeStore(), claim: () => answer as never } });
    expect(await codeOf(() => host.claim('suspension-1', []))).toBe('resume_store_failed');
  });

  test('that fails says why to the host, and not to the client', async () => {
    const cause = new Error('connect ECONNREFUSED redis://host:password@10.0.0.5');
    const store = { ...memoryResumeStore(), getItem: () => Promise.reject(cause) };
    const opening = resumeSeal({ keys: KEYS, store }).open(`sr1.s.YQ.${'A'.repeat(43)}`, EXPECT, NOW);
    await expect(opening).rejects.toMatchObject({
      code: 'resume_store_failed',
      message: 'the store of suspended children failed',
      cause,
    });
  });
});

describe('any flipped bit is refused', () => {
  const flipped = (token: string) =>
    fc.tuple(fc.nat(token.length - 1), fc.nat(6)).map(([at, bit]) => {
      const unit = String.fromCharCode(token.charCodeAt(at) ^ (1 << bit));
      return token.slice(0, at) + unit + token.slice(at + 1);
    });

  test('in a plain token', async () => {
    await fc.assert(
      fc.asyncProperty(flipped(seal()), async (token) => {
        expect(await codeOf(() => open(token))).toMatch(/^resume_/);
      }),
      { numRuns: 500 },
    );
  });

  test('in an encrypted token', async () => {
    const host = resumeSeal({ keys: KEYS, encrypt: true });
    await fc.assert(
      fc.asyncProperty(flipped(await host.seal(STATE, NOW)), async (token) => {
        expect(await codeOf(() => host.open(token, EXPECT, NOW))).toMatch(/^resume_/);
      }),
      { numRuns: 200 },
    );
  });

  test('in any state, wherever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.nat(), fc.nat(5), async (content, place, bit) => {
        const token = seal({ ...STATE, messages: [{ role: 'user', content }] });
        const at = place % token.length;
        const changed =
          token.slice(0, at) + String.fromCharCode(token.charCodeAt(at) ^ (1 << bit)) + token.slice(at + 1);
        expect(open(token).id).toBe(STATE.id);
        expect(await codeOf(() => open(changed))).toMatch(/^resume_/);
      }),
      { numRuns: 100 },
    );
  });
});

describe('encrypted', () => {
  const host = resumeSeal({ keys: KEYS, encrypt: true, bind: 'tenant-7' });

  test('nobody reads it on the way, not even whose it is', async () => {
    const token = await host.seal(STATE, NOW);
    const body = Buffer.from(token.split('.')[3] ?? '', 'base64url').toString('latin1');
    for (const word of ['pricing', 'Looking', 'tenant-7', 'call-1']) expect(body).not.toContain(word);
    expect((await host.open(token, EXPECT, NOW)).messages).toEqual(STATE.messages);
  });

  test('twice is two tokens', async () => {
    expect(await host.seal(STATE, NOW)).not.toBe(await host.seal(STATE, NOW));
  });

  test('it needs the key that it was made under', async () => {
    const token = await host.seal(STATE, NOW);
    const other = resumeSeal({ keys: [{ id: 'new', secret: new Uint8Array(32).fill(8) }], bind: 'tenant-7' });
    expect(await codeOf(() => other.open(token, EXPECT, NOW))).toBe('resume_tampered');
    const rotated = resumeSeal({
      keys: [{ id: 'newer', secret: new Uint8Array(32).fill(1) }, ...KEYS],
      bind: 'tenant-7',
    });
    expect((await rotated.open(token, EXPECT, NOW)).id).toBe(STATE.id);
  });
});
