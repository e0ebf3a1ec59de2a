// @process audit
// @seconds 8

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { encodeCommand } from '@venue/engine';
import { openLog, openLogReader } from '@venue/log';
import { checkStamp } from '@venue/replay';
import { loadConfig } from '../../../exchange/src/config.ts';
import { startExchange } from '../../../exchange/src/node.ts';
import { sharedVerifier } from '../../../exchange/test/shared-verifier.ts';
import {
  ALICE,
  BOB,
  entryOf,
  newPath,
  reseal,
  SignedLog,
  tamper,
  trade,
} from '../../../exchange/test/signed-log.ts';
import { archiveLog } from '../archive/archive.ts';
import { LogToolError } from '../archive/tool-error.ts';
import type { NotedPoint } from './noted-head.ts';
import { type VerifyOptions, verifyLog } from './verify.ts';

type Mode = SignedLog['mode'];

/** By mode, a log found to be in order. */
const sound = new Map<Mode, Promise<SignedLog>>();

const verify = async (options: VerifyOptions) => verifyLog({ verifier: await sharedVerifier(), ...options });

/** A log to be changed on disk. It is the same each time: it is made once, looked at, and copied. */
async function tradedLog(mode: Mode = 'paper'): Promise<SignedLog> {
  const made = sound.get(mode) ?? soundLog(mode);
  sound.set(mode, made);
  return (await made).copy();
}

async function soundLog(mode: Mode): Promise<SignedLog> {
  const venue = await newTradedLog(mode);
  assert.equal((await verify({ log: venue.spec })).facts.fault, null);
  return venue;
}

/** A log with two snapshots, that of entry 6 and the newest. */
async function newTradedLog(mode: Mode = 'paper'): Promise<SignedLog> {
  const venue = await SignedLog.open(mode);
  await venue.append(venue.order(BOB, 'buy', { price: 3 }));
  await venue.snapshot();
  await trade(venue);
  await venue.snapshot();
  await venue.stop();
  return venue;
}

async function assertFault({ spec }: SignedLog, seq: number, message: RegExp): Promise<void> {
  const { facts } = await verify({ log: spec });
  assert.equal(facts.verdict, 'not verified');
  assert.match(facts.fault!.message, message);
  assert.equal(facts.fault!.seq, seq);
  assert.equal(facts.entries, null);
}

const body = (seq: number, from: string, to: string): [string, string, string, number] => [
  'UPDATE log SET body = replace(body, ?, ?) WHERE seq = ?',
  from,
  to,
  seq,
];

describe('a log that somebody changed without the hashes', () => {
  it('names the entry of which one byte is another', async () => {
    const venue = await tradedLog();
    const { seq } = entryOf(venue.path, 'order');
    tamper(venue.path, ...body(seq, '"priceMicros":3000000', '"priceMicros":3000001'));
    await assertFault(
      venue,
      seq,
      new RegExp(`^entry ${seq} is damaged: the hash of its batch does not match$`),
    );
  });

  it('names the batch where the entry is one of several', async () => {
    const venue = await tradedLog();
    const { seq } = entryOf(venue.path, 'order', 4);
    tamper(venue.path, ...body(seq, '"side":"buy"', '"side":"sel"'));
    await assertFault(venue, seq - 1, new RegExp(`^one of the entries ${seq - 1} to ${seq} is damaged`));
  });

  it('names an entry that is gone, the newest too', async () => {
    const venue = await tradedLog();
    const last = venue.state.seq;
    tamper(venue.path, 'DELETE FROM log WHERE seq = ?', last);
    await assertFault(venue, last, new RegExp(`^entry ${last} is missing from the log$`));
    tamper(venue.path, 'DELETE FROM log WHERE seq = 4');
    await assertFault(venue, 4, /^entry 4 is missing from the log$/);
    tamper(venue.path, 'DELETE FROM log WHERE seq = 1');
    await assertFault(venue, 1, /^entry 1 is missing from the log$/);
  });

  it('names the first of two entries that were swapped', async () => {
    const venue = await tradedLog();
    tamper(venue.path, 'UPDATE log SET seq = -seq WHERE seq IN (4, 5)');
    tamper(venue.path, 'UPDATE log SET seq = 9 + seq WHERE seq < 0');
    await assertFault(venue, 4, /^one of the entries 4 to 5 is damaged/);
  });

  it('names an entry whose time was moved', async () => {
    const venue = await tradedLog();
    tamper(venue.path, 'UPDATE log SET ts = ts + 1 WHERE seq = 3');
    await assertFault(venue, 3, /^entry 3 is damaged: the hash/);
  });

  it('names an entry whose signature was changed', async () => {
    const venue = await tradedLog();
    const { seq } = entryOf(venue.path, 'order');
    tamper(venue.path, ...body(seq, '"signature":"0x', '"signature":"0X'));
    await assertFault(venue, seq, new RegExp(`^entry ${seq} is damaged`));
  });

  it('names entries that stand in no batch, at the end or in between', async () => {
    const venue = await tradedLog();
    const seq = venue.state.seq + 1;
    tamper(venue.path, `INSERT INTO log SELECT ?, ts, kind, body FROM log WHERE seq = 3`, seq);
    await assertFault(venue, seq, new RegExp(`^the batch of entry ${seq} is missing from the log$`));
    tamper(venue.path, 'DELETE FROM batch WHERE first_seq = 2');
    await assertFault(venue, 2, /^the batch of entry 2 is missing from the log$/);
  });

  it('names the entry that the file can no longer give', async () => {
    const venue = await SignedLog.open();
    const prints = {
      kind: 'prints',
      prints: [{ symbol: 'BTC', source: 'x'.repeat(60), priceMicros: 1 }],
    } as const;
    for (let n = 0; n < 20; n++) await venue.append(...Array.from({ length: 20 }, () => prints));
    await venue.stop();
    const bytes = readFileSync(venue.path);
    // Beyond the first pages are those with entries; one of them is overwritten with what cannot be a page.
    const page = bytes.lastIndexOf('"prints":[{"symbol"') & ~4095;
    writeFileSync(venue.path, bytes.fill(0xff, page, page + 100));
    const { facts } = await verify({ log: venue.spec });
    assert.match(facts.fault!.message, /^entry \d+ cannot be read: database disk image is malformed$/);
    assert.ok(facts.fault!.seq > 100, facts.fault!.message);
  });

  it('names an entry whose body was replaced by other bytes', async () => {
    const venue = await tradedLog();
    tamper(venue.path, 'UPDATE log SET body = ? WHERE seq = 2', new Uint8Array([1, 2, 3]));
    await assertFault(venue, 2, /^entry 2 is damaged/);
  });
});

describe('a log of a forger who recomputed every hash', () => {
  /** Nobody has the log open. */
  async function forged(
    venue: SignedLog,
    ...change: Parameters<typeof tamper> extends [string, ...infer R] ? R : never
  ) {
    tamper(venue.path, ...change);
    reseal(venue.path);
    tamper(venue.path, 'DELETE FROM snapshot');
  }

  it('SIG-1: names a signature that was changed', async () => {
    const venue = await tradedLog();
    const { seq, body: text } = entryOf(venue.path, 'order', 2);
    const { authorization } = JSON.parse(text);
    const other = JSON.parse(entryOf(venue.path, 'margin').body).authorization.signature;
    await forged(venue, ...body(seq, authorization.signature, other));
    await assertFault(
      venue,
      seq,
      new RegExp(`^the signature of entry ${seq} \\(order\\) is not by ${authorization.sessionKey} over`),
    );
  });

  for (const [kind, n, from, to] of [
    ['order', 2, '"qtyMicros":2000000', '"qtyMicros":2000001'],
    ['order', 3, `"account":"${BOB.address}"`, `"account":"${ALICE.address}"`],
    ['cancel', 1, '["BTC"]', 'null'],
    ['cancel-order', 1, '"orderId":', '"orderId":1'],
    ['margin', 1, '"enabled":true', '"enabled":false'],
    ['withdraw', 1, '"amountMicros":100000000', '"amountMicros":900000000'],
    ['approve', 2, `"sessionKey":"${BOB.session.address}"`, `"sessionKey":"${ALICE.session.address}"`],
  ] as const) {
    it(`names the ${kind} that says something else than was signed`, async () => {
      const venue = await tradedLog('deposits');
      const { seq } = entryOf(venue.path, kind, n);
      await forged(venue, ...body(seq, from, to));
      await assertFault(venue, seq, new RegExp(`^the signature of entry ${seq} \\(${kind}\\) is not by 0x`));
    });
  }

  it('AUTH-3: names an order without a signature in deposits mode', async () => {
    const venue = await tradedLog('deposits');
    const { seq } = entryOf(venue.path, 'order', 2);
    await forged(venue, `UPDATE log SET body = json_remove(body, '$.authorization') WHERE seq = ?`, seq);
    await assertFault(
      venue,
      seq,
      new RegExp(`^entry ${seq} \\(order\\) is a write without a signature, in deposits mode$`),
    );
  });

  it('FINE-14: names quotes without a quote session in deposits mode', async () => {
    const venue = await SignedLog.open('deposits');
    await venue.append({ kind: 'quotes', session: null, rows: [] });
    await venue.stop();
    await assertFault(
      venue,
      venue.state.seq,
      /\(quotes\) is quotes without a quote session, in deposits mode$/,
    );
  });

  describe('with a push to a quote set', () => {
    const row = { sid: 0, bids: [[1_000_000, 1_000_000]], asks: null } as const;

    async function pushedLog(
      mode: 'paper' | 'deposits' = 'paper',
      rows: readonly (typeof row)[] | null = [row],
    ) {
      const venue = await SignedLog.open(mode);
      const protection = { symbol: 'BTC', windowMs: 1_000, qtyMicros: 10_000_000, frozenMs: 0 };
      const protect = venue.batch(ALICE, [{ type: 'protect', set: 1, ...protection }]);
      const push = venue.push(ALICE, rows);
      const [, outcome] = await venue.append(protect, push);
      assert.equal((outcome as { applied?: number }).applied, rows?.length);
      await venue.snapshot();
      await venue.stop();
      return { venue, push, seq: venue.state.seq };
    }

    it('QTS-6: names a push that was refused whole and is not the one that was signed', async () => {
      const { venue, push, seq } = await pushedLog('paper', null);
      assert.notEqual((await verify({ log: venue.spec })).facts.verdict, 'not verified');
      const bytes = encodeCommand({ ...push, bodyHash: 'ac'.repeat(32) });
      await forged(venue, 'UPDATE log SET body = ? WHERE seq = ?', bytes, seq);
      await assertFault(venue, seq, /\(quote-set\) is not by 0x/);
    });

    for (const [what, change] of [
      ['another body', { bodyHash: 'ac'.repeat(32) }],
      ['another set', { set: 2 }],
      ['another form', { form: 'sqw1' }],
      ['another account', { account: BOB.address }],
    ] as const) {
      it(`QTS-1: names a push of ${what} than was signed`, async () => {
        const { venue, push, seq } = await pushedLog();
        const bytes = encodeCommand({ ...push, ...change });
        await forged(venue, 'UPDATE log SET body = ? WHERE seq = ?', bytes, seq);
        await assertFault(
          venue,
          seq,
          new RegExp(`^the signature of entry ${seq} \\(quote-set\\) is not by 0x`),
        );
      });
    }

    it('QTS-1: cannot tell from the signature which rows of the body changed something', async () => {
      const { venue, push, seq } = await pushedLog();
      const rows = [{ ...row, bids: [[1_000_001, 1_000_000]] as const }];
      await forged(venue, 'UPDATE log SET body = ? WHERE seq = ?', encodeCommand({ ...push, rows }), seq);
      assert.equal((await verify({ log: venue.spec })).facts.fault, null);
    });

    it('AUTH-3: names a push without a signature in deposits mode', async () => {
      const { venue, push, seq } = await pushedLog('deposits');
      const { authorization: _, ...unsigned } = push;
      await forged(venue, 'UPDATE log SET body = ? WHERE seq = ?', encodeCommand(unsigned), seq);
      await assertFault(venue, seq, /\(quote-set\) is a write without a signature, in deposits mode$/);
    });
  });

  it('takes the first of two faults, although a later one is found sooner', async () => {
    const venue = await tradedLog('deposits');
    const { seq } = entryOf(venue.path, 'order', 2);
    const { seq: later } = entryOf(venue.path, 'order', 4);
    tamper(venue.path, ...body(seq, '"qtyMicros":2000000', '"qtyMicros":2000001'));
    await forged(venue, `UPDATE log SET body = json_remove(body, '$.authorization') WHERE seq = ?`, later);
    await assertFault(venue, seq, /^the signature of entry/);
  });

  it('names an entry that no engine can apply', async () => {
    const venue = await tradedLog();
    // Before there is a configuration.
    const open = JSON.stringify({ address: ALICE.address });
    await forged(venue, `UPDATE log SET kind = 'open', body = ? WHERE seq = 1`, open);
    await assertFault(venue, 1, /^entry 1 \(open\) cannot be applied: .*--skip 1$/);
  });

  it('names an entry that is no text to sign', async () => {
    const venue = await tradedLog();
    const { seq } = entryOf(venue.path, 'order');
    await forged(venue, `UPDATE log SET body = json_set(body, '$.qtyMicros', 1.5) WHERE seq = ?`, seq);
    await assertFault(
      venue,
      seq,
      new RegExp(`^entry ${seq} \\(order\\) has no text to sign: envelope field qty`),
    );
  });

  for (const [what, kind, n, from, to] of [
    ['a side that is a list', 'order', 2, '"side":"sell"', '"side":["sell"]'],
    ['a switch that is a text', 'margin', 1, '"enabled":true', '"enabled":"true"'],
    ['a symbol in lower case', 'cancel', 1, '["BTC"]', '["btc"]'],
    ['an account in upper case', 'order', 2, ALICE.address, ALICE.address.toUpperCase().replace('0X', '0x')],
    ['a kind of its own', 'order', 2, '{', '{"kind":"margin",'],
  ] as const) {
    it(`names ${what}, though it makes the text that was signed`, async () => {
      const venue = await tradedLog();
      const { seq } = entryOf(venue.path, kind, n);
      const { body: whole } = entryOf(venue.path, kind, n);
      await forged(venue, 'UPDATE log SET body = ? WHERE seq = ?', whole.replace(from, to), seq);
      const said = `^entry ${seq} \\(${kind}\\) cannot be read: not the body of an entry of this kind: `;
      await assertFault(venue, seq, new RegExp(said));
    });
  }

  for (const [what, from, to] of [
    ['a key that stands twice', '{', '{"side":"buy",'],
    ['a space', '{', '{ '],
    ['a letter by its number', '"sell"', '"\\u0073ell"'],
    ['a number in another form', '"qtyMicros":2000000', '"qtyMicros":2e6'],
    ['a mark before the text', '{', '\ufeff{'],
  ] as const) {
    it(`names ${what}, as no node writes so`, async () => {
      const venue = await tradedLog();
      const { seq, body: whole } = entryOf(venue.path, 'order', 2);
      await forged(venue, 'UPDATE log SET body = ? WHERE seq = ?', whole.replace(from, to), seq);
      await assertFault(
        venue,
        seq,
        new RegExp(`^entry ${seq} \\(order\\) is not written as a node writes it$`),
      );
    });
  }

  it('names quotes in bytes that no node writes', async () => {
    const venue = await SignedLog.open();
    const rows = [{ sid: 1, bids: null, asks: [], iv: 0.5 }];
    await venue.append({ kind: 'quotes', session: null, rows });
    await venue.snapshot();
    await venue.stop();
    const { seq } = venue.state;
    // No session, as a negative zero.
    const bytes = encodeCommand({ kind: 'quotes', session: null, rows }).with(7, 0x80);
    await forged(venue, 'UPDATE log SET body = ? WHERE seq = ?', bytes, seq);
    await assertFault(venue, seq, /\(quotes\) is not written as a node writes it$/);
  });

  for (const [sql, message, advice = 'restore it from a backup, or start afresh with another VENUE_LOG'] of [
    [
      `UPDATE meta SET value = '9' WHERE key = 'format'`,
      'the log is of format 9 and this version reads format 3',
      'upgrade to open it',
    ],
    [
      `UPDATE meta SET value = '2' WHERE key = 'format'`,
      'the log is of format 2 and this version reads format 3',
      'start afresh with another VENUE_LOG',
    ],
    [`DELETE FROM meta WHERE key = 'format'`, 'the log is not stamped with its format'],
    [`DELETE FROM meta WHERE key = 'fundingMode'`, 'the log is not stamped with its fundingMode'],
    ['DELETE FROM meta', 'the log has entries and no stamp'],
  ] as const) {
    it(`MODE-1: says that ${message}, and a node does not start either`, async () => {
      const venue = await tradedLog();
      tamper(venue.path, sql);
      await assertFault(venue, 1, new RegExp(`^${message}$`));
      const log = await openLog(venue.spec);
      await assert.rejects(checkStamp(log), { name: 'LogOpenError', message: `${message}; ${advice}` });
      await log.close();
    });
  }

  it('MODE-1: names the configuration that the stamp contradicts', async () => {
    const venue = await tradedLog();
    tamper(venue.path, `UPDATE meta SET value = 'deposits' WHERE key = 'fundingMode'`);
    await assertFault(venue, 1, /^entry 1 puts fundingMode=paper in force, and the stamp says deposits$/);
  });
});

describe('a log that ends before its snapshots', () => {
  async function cutOff(): Promise<{ venue: SignedLog; lastSeq: number }> {
    const venue = await tradedLog();
    const { seq } = entryOf(venue.path, 'order', 4);
    const lastSeq = seq - 2;
    tamper(venue.path, 'DELETE FROM log WHERE seq > ?', lastSeq);
    tamper(venue.path, 'DELETE FROM batch WHERE first_seq > ?', lastSeq);
    return { venue, lastSeq };
  }

  it('LOG-2: is said to end before the head that is noted beside it, and is not started from', async () => {
    const { venue, lastSeq } = await cutOff();
    const { seq } = venue.state;
    const says = `^the head of the log says that entry ${seq} is the last, and entry ${lastSeq + 1} is missing$`;
    await assertFault(venue, lastSeq + 1, new RegExp(says));
    await assert.rejects(openLog(venue.spec), {
      name: 'LogOpenError',
      message: new RegExp(`^the log ends with entry ${lastSeq}, and entry ${seq} was durable: `),
    });
  });

  it('is said to lack its end, unless it is looked at up to an entry', async () => {
    const { venue, lastSeq } = await cutOff();
    rmSync(`${venue.path}-head`);
    const message = `^entry ${lastSeq} is the last, before the snapshot of entry ${venue.state.seq}: the end of the log is missing$`;
    await assertFault(venue, lastSeq + 1, new RegExp(message));
    const { facts } = await verify({ log: venue.spec, to: lastSeq });
    assert.deepEqual([facts.fault, facts.entries!.toSeq], [null, lastSeq]);
  });

  it('is not started from', async () => {
    const { venue, lastSeq } = await cutOff();
    rmSync(`${venue.path}-head`);
    const config = loadConfig({ VENUE_PORT: '0', VENUE_LOG: venue.spec, VENUE_LOG_LEVEL: 'silent' });
    const message = `the log ends with entry ${lastSeq}, before the snapshot of entry ${venue.state.seq}: its end is missing; restore it from a backup`;
    const stopped = startExchange(config).then((exchange) => exchange.stop());
    await assert.rejects(stopped, { name: 'LogOpenError', message });
    const reader = await openLogReader(venue.spec);
    assert.equal((await reader.head()).seq, lastSeq, 'nothing was appended');
    await reader.close();
  });
});

describe('a snapshot that somebody changed', () => {
  it('is named with its entry when its digest is another', async () => {
    const venue = await tradedLog();
    tamper(venue.path, 'UPDATE snapshot SET digest = ? WHERE seq = 6', 'ab'.repeat(32));
    await assertFault(venue, 6, /^the snapshot of entry 6 is damaged: its body has another digest$/);
  });

  it('is named with its entry when its body is another, or none', async () => {
    const venue = await tradedLog();
    const text = zstdDecompressSync(snapshotOf(venue.path).body);
    const changed = zstdCompressSync(
      text.toString().replace('"cashMicros":100000000000', '"cashMicros":100000000001'),
    );
    tamper(venue.path, 'UPDATE snapshot SET body = ? WHERE seq = 6', changed);
    await assertFault(venue, 6, /^the snapshot of entry 6 is damaged: its body has another digest$/);
    tamper(venue.path, 'UPDATE snapshot SET body = ? WHERE seq = 6', new Uint8Array(9));
    await assertFault(venue, 6, /^the snapshot of entry 6 is damaged: /);
  });

  it('is named with its entry when it is whole and of another state', async () => {
    const venue = await tradedLog();
    const other = await SignedLog.open();
    await other.append(other.order(BOB, 'buy', { price: 4 }));
    await other.snapshot();
    await other.stop();
    const { digest, body: foreign } = snapshotOf(other.path);
    tamper(venue.path, 'UPDATE snapshot SET digest = ?, body = ? WHERE seq = 6', digest, foreign);
    await assertFault(venue, 6, /^the snapshot of entry 6 has another digest than the state after it$/);
    tamper(venue.path, 'UPDATE snapshot SET seq = 7 WHERE seq = 6');
    await assertFault(venue, 7, /^the snapshot of entry 7 has another digest than the state after it$/);
  });
});

describe('a snapshot of another venue', () => {
  it('that has to be begun with is no beginning', async () => {
    const [venue, other] = [await newTradedLog(), await newTradedLog()];
    for (const one of [venue, other]) {
      await one.start();
      await one.append(one.order(BOB, 'buy', { price: one === venue ? 3 : 4 }));
      await one.snapshot();
      await one.append(one.order(BOB, 'buy', { price: 5 }));
      await one.snapshot();
      await one.stop();
    }
    await archiveLog({ log: venue.spec, out: newPath('old.zst'), keep: 'snapshot' });
    const seq = venue.state.seq - 1;
    const { digest, body: foreign } = snapshotOf(other.path, seq);
    tamper(venue.path, 'UPDATE snapshot SET digest = ?, body = ? WHERE seq = ?', digest, foreign, seq);
    await assertFault(venue, seq, new RegExp(`^the snapshot of entry ${seq} is of another log$`));
  });
});

/** That of entry 6, or of another. */
function snapshotOf(path: string, seq = 6): { readonly digest: string; readonly body: Uint8Array } {
  const db = new DatabaseSync(path, { readOnly: true });
  const { digest, body: bytes } = db.prepare('SELECT digest, body FROM snapshot WHERE seq = ?').get(seq)!;
  db.close();
  return { digest: String(digest), body: bytes as Uint8Array };
}

describe('a chain head that was noted earlier', () => {
  /** The head that `venue verify` prints for a log: the last entry, and the hash after it. */
  async function headOf({ spec }: SignedLog, to?: number): Promise<NotedPoint> {
    const { facts } = await verify({ log: spec, to });
    return { seq: facts.entries!.toSeq, hash: facts.entries!.chainHead };
  }

  async function faultWith({ spec }: SignedLog, head: NotedPoint): Promise<string | undefined> {
    const { facts } = await verify({ log: spec, head });
    return facts.fault?.message;
  }

  it('stands in a sound log, at its end and before', async () => {
    const venue = await tradedLog();
    const [early, last] = [await headOf(venue, 4), await headOf(venue)];
    assert.ok(early.seq < last.seq);
    assert.equal(await faultWith(venue, early), undefined);
    assert.equal(await faultWith(venue, last), undefined);
  });

  it('shows that the newest batches were taken away, which nothing else does', async () => {
    const venue = await tradedLog();
    const noted = await headOf(venue);
    const { seq } = entryOf(venue.path, 'order', 4);
    tamper(venue.path, 'DELETE FROM log WHERE seq >= ?', seq - 1);
    tamper(venue.path, 'DELETE FROM batch WHERE first_seq >= ?', seq - 1);
    tamper(venue.path, 'DELETE FROM snapshot WHERE seq >= ?', seq - 1);
    rmSync(`${venue.path}-head`);
    assert.equal((await verify({ log: venue.spec })).facts.fault, null);
    assert.equal(
      await faultWith(venue, noted),
      `entry ${seq - 2} is the last, but a chain head was noted after entry ${noted.seq}: the end was cut off`,
    );
  });

  it('is not met in another past, nor in the middle of a batch', async () => {
    const venue = await tradedLog();
    const { seq, hash } = await headOf(venue);
    const other = `the chain head after entry ${seq} is not the one that was noted: this is another past`;
    assert.equal(await faultWith(venue, { seq, hash: '0'.repeat(64) }), other);
    const inside = entryOf(venue.path, 'order', 4).seq - 1;
    assert.equal(await faultWith(venue, { seq: inside, hash }), other.replace(`${seq}`, `${inside}`));
  });

  it('cannot be looked for outside of what is read', async () => {
    const venue = await tradedLog();
    const head = await headOf(venue);
    await assert.rejects(
      verify({ log: venue.spec, head, to: 4 }),
      new LogToolError(`entry ${head.seq}, whose chain head was noted, comes after entry 4`),
    );
  });
});
