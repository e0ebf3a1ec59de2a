import assert from 'node:assert/strict';
import { test } from 'node:test';
import { note, range } from '../test/behaviour-tools.ts';
import { BatchDigest, ChainVerifier } from './chain.ts';
import type { BatchRecord, LogEntry } from './log.ts';
import { openMemoryLog } from './memory.ts';

/** Batches of 1, 2 and 3 entries. */
async function sample(): Promise<{ entries: LogEntry[]; batches: BatchRecord[] }> {
  let now = 100;
  const log = await openMemoryLog({ now: () => now++ });
  const entries: LogEntry[] = [];
  await log.follow(1, (page) => void entries.push(...page)).caughtUp;
  for (const size of [1, 2, 3]) await log.append(range(1, size).map((i) => note(`${size}.${i}`)));
  return { entries, batches: [...(await log.readBatches(1, 6))] };
}

test('a verifier takes a log in pieces of any size, and starts at any boundary between batches', async () => {
  const { entries, batches } = await sample();
  const whole = new ChainVerifier();
  for (const batch of batches) whole.addBatches([batch]);
  for (const entry of entries) assert.equal(whole.addEntries([entry]), undefined);
  assert.equal(whole.finish(), undefined);
  assert.deepEqual(whole.verified, { seq: 6, ts: 102, hash: batches[2]!.hash });
  const later = new ChainVerifier({ seq: 3, ts: 101, hash: batches[1]!.hash });
  later.addBatches(batches.slice(2));
  assert.equal(later.addEntries(entries.slice(3)) ?? later.finish(), undefined);
  assert.deepEqual(later.verified, whole.verified);
});

test('two verifiers that alternate in the middle of their batches do not disturb each other', async () => {
  const { entries, batches } = await sample();
  const verifiers = [new ChainVerifier(), new ChainVerifier()];
  for (const verifier of verifiers) verifier.addBatches(batches);
  for (const entry of entries) {
    for (const verifier of verifiers) assert.equal(verifier.addEntries([entry]), undefined);
  }
});

test('a digest that finishes in the middle of another, before a third begins, disturbs neither', () => {
  const alone = new BatchDigest();
  alone.add('b', Buffer.from('body'));
  const expected = alone.finish().toString('hex');
  const [first, second, third] = [new BatchDigest(), new BatchDigest(), new BatchDigest()];
  first!.add('a', Buffer.from('other'));
  second!.add('b', Buffer.from('body'));
  first!.finish();
  third!.add('c', Buffer.from('another'));
  assert.equal(second!.finish().toString('hex'), expected);
});

type Sample = Awaited<ReturnType<typeof sample>>;
const BREAKS: readonly (readonly [what: string, make: (s: Sample) => void, fault: RegExp])[] = [
  ['an entry left out', ({ entries }) => entries.splice(1, 1), /^entry 2 is missing from the log$/],
  ['two entries swapped', ({ entries }) => entries.reverse(), /^entry 1 is missing/],
  ['another body', (s) => change(s, 4, { body: Buffer.from('{}') }), /^one of the entries 4 to 6 is damaged/],
  ['another kind', (s) => change(s, 1, { kind: 'x' }), /^entry 1 is damaged: the hash of its batch/],
  ['another time of a whole batch', (s) => change(s, 1, { ts: 99 }), /^entry 1 is damaged/],
  ['another time within a batch', (s) => change(s, 5, { ts: 103 }), /^entry 5 is damaged: its time is not/],
  ['a time before the last', (s) => change(s, 2, { ts: 99 }), /^entry 2 is damaged: its time is not/],
  ['a batch left out', ({ batches }) => batches.splice(1, 1), /^the batch of entry 2 is missing/],
  ['no batches', ({ batches }) => batches.splice(0), /^the batch of entry 1 is missing/],
  ['the end left out', ({ entries }) => entries.splice(5), /^entry 6 is missing/],
  [
    'a hash changed',
    ({ batches }) => batches.splice(0, 1, { ...batches[0]!, hash: batches[1]!.hash }),
    /^entry 1 is damaged/,
  ],
];

function change({ entries }: Sample, seq: number, what: Partial<LogEntry>): void {
  entries[seq - 1] = { ...entries[seq - 1]!, ...what };
}

for (const [what, make, fault] of BREAKS) {
  test(`a verifier finds ${what}`, async () => {
    const broken = await sample();
    make(broken);
    const verifier = new ChainVerifier();
    verifier.addBatches(broken.batches);
    assert.match((verifier.addEntries(broken.entries) ?? verifier.finish())?.message ?? '', fault);
  });
}

test('the digest depends on the boundary between kind and body, and not on how much fits into memory', () => {
  const digestOf = (entries: readonly (readonly [string, Buffer])[]) => {
    const digest = new BatchDigest();
    for (const [kind, body] of entries) digest.add(kind, body);
    return digest.finish().toString('hex');
  };
  assert.notEqual(digestOf([['ab', Buffer.from('c')]]), digestOf([['a', Buffer.from('bc')]]));
  const small = Array.from({ length: 3000 }, (_, i) => ['k', Buffer.from(`body ${i}`)] as const);
  const big = ['k', Buffer.alloc(200_000, 'x')] as const;
  const all = [...small, big, ...small];
  const again = new BatchDigest();
  const other = new BatchDigest();
  for (const [kind, body] of all) {
    again.add(kind, body);
    other.add('other', body);
  }
  assert.equal(again.finish().toString('hex'), digestOf(all));
});
