import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FillListSchema, StatementSchema } from '@venue/protocol/wire';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { ExpiringVenue } from '../../../test/expiring.ts';
import {
  addressOf,
  DEPOSITS,
  type Json,
  type LocalVenue,
  newWallet,
  OPERATOR_TOKEN,
  openSession,
  pricedVenue,
  signIn,
  startVenue,
  type Trader,
} from '../../../test/support.ts';

function assertShape(schema: TSchema, value: unknown): void {
  const validator = Compile(schema);
  assert.ok(validator.Check(value), JSON.stringify(validator.Errors(value)));
}

describe('fills in pages', () => {
  let venue: LocalVenue;
  let alice: Trader;
  let all: Json[];
  const page = async (query: string) => (await venue.get(`/v1/fills${query}`, alice)).body;

  before(async () => {
    venue = await pricedVenue();
    alice = await signIn(venue);
    const { seriesId, sid } = await venue.listed('BTC');
    for (let i = 0; i < 520; i += 40) {
      const asks = Array.from({ length: 40 }, (_, at) => [10 + at, 0.001]);
      await venue.quote({ rows: [[sid, [], asks, 0.5, 0.4]] });
      await venue.post('/v1/order', { seriesId, side: 'buy', qty: 0.04 }, alice);
    }
    all = [];
    for (let query = '?limit=130'; ; ) {
      const answer = await page(query);
      assertShape(FillListSchema, answer);
      all.push(...answer.fills);
      if (answer.before === undefined) break;
      query = `?limit=130&before=${answer.before}`;
    }
  });
  after(() => venue.exchange.stop());

  it('include every fill once, newest first, beyond the 500 that the account keeps', async () => {
    assert.equal(all.length, 520);
    const ids = all.map(({ id }) => id);
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => b - a),
    );
  });

  it('are the newest 500 without a query, which says where to continue', async () => {
    const { fills, before: next, ...more } = await page('');
    assert.deepEqual([fills.length, more], [500, {}]);
    assert.deepEqual(fills, all.slice(0, 500));
    assert.equal(next, fills.at(-1).id);
  });

  it('show a fill identically, from the account or the history', async () => {
    const oldest = await page(`?before=${all[499].id}&limit=7`);
    assert.deepEqual(oldest.fills, all.slice(500, 507));
    const across = await page(`?before=${all[490].id}&limit=20`);
    assert.deepEqual(across.fills, all.slice(491, 511));
    assert.deepEqual(await page(`?before=${all[519].id}`), { fills: [] });
    assert.deepEqual((await page('?before=999999999&limit=1')).fills, all.slice(0, 1));
  });

  it('are refused for an invalid value, which is named', async () => {
    for (const [query, error] of [
      ['?limit=0', 'limit malformed'],
      ['?limit=501', 'limit malformed'],
      ['?limit=1.5', 'limit malformed'],
      ['?before=-1', 'before malformed'],
      ['?before=abc', 'before malformed'],
      ['?before=1&before=2', 'before must be a string'],
    ]) {
      const { status, body } = await venue.get(`/v1/fills${query}`, alice);
      assert.deepEqual([status, body], [400, { error }]);
    }
  });
});

describe('a statement', () => {
  let expiring: ExpiringVenue;
  let traders: { alice: Trader; bob: Trader };
  const ask = (query = '', trader = traders.bob) => expiring.venue.get(`/v1/statement${query}`, trader);

  before(async () => {
    expiring = await ExpiringVenue.start();
    traders = await expiring.trade();
    await expiring.expireAt({ a: 101_000, b: 101_010, c: 101_004 });
  });
  after(() => expiring.stop());

  it('shows funding, premium, fee and settlement, and ends with the cash of the account (NUM-3, FINE-7)', async () => {
    const { body } = await ask();
    assertShape(StatementSchema, body);
    const seriesId = expiring.series('C', 100_000);
    const fill = { seriesId, symbol: 'BTC', qty: 2 };
    assert.deepEqual(
      body.rows.map(({ id, ts, fillId, orderId, ...row }: Json) => row),
      [
        { kind: 'funding', change: 100_000, balance: 100_000 },
        {
          ...{ kind: 'trade', change: -4_020, balance: 95_980, premium: -4_000, fee: 20 },
          ...{ ...fill, side: 'buy', price: 2_000, realized: 0 },
        },
        {
          ...{ kind: 'settlement', change: 2_008, balance: 97_988 },
          ...{ ...fill, side: 'sell', price: 1_004, realized: -1_992 },
        },
      ],
    );
    const { openingBalance, closingBalance, from, completeFrom, next } = body;
    assert.deepEqual(
      [openingBalance, closingBalance, from, completeFrom, next],
      [0, 97_988, 0, 0, undefined],
    );
    assert.equal((await expiring.venue.get('/v1/me', traders.bob)).body.cash, closingBalance);
    const seller = (await ask('', traders.alice)).body;
    assert.deepEqual(
      seller.rows.map(({ change }: Json) => change),
      [100_000, 4_000, -2_008],
    );
  });

  it('treats from as inclusive and to as exclusive, and pages join to the whole', async () => {
    const { rows } = (await ask()).body;
    const [funding, trade, settlement] = rows;
    const span = async (from: number, to: number) => {
      const { body } = await ask(`?from=${from}&to=${to}`);
      return [body.openingBalance, body.rows, body.closingBalance];
    };
    assert.deepEqual(await span(trade.ts, settlement.ts), [0, [funding, trade], 95_980]);
    assert.deepEqual(await span(trade.ts + 1, settlement.ts), [95_980, [], 95_980]);
    assert.deepEqual(await span(settlement.ts, settlement.ts + 1), [95_980, [settlement], 97_988]);
    assert.deepEqual(await span(0, trade.ts), [0, [], 0]);
    const first = (await ask('?limit=2')).body;
    const second = (await ask(`?limit=2&to=${first.to}&next=${first.next}`)).body;
    assert.deepEqual([...first.rows, ...second.rows], rows);
    assert.deepEqual([second.openingBalance, second.next], [first.closingBalance, undefined]);
  });

  it('is CSV on request, by header or query: RFC 4180, plain decimals, ISO times', async () => {
    const { rows } = (await ask()).body;
    const read = async (query: string, accept?: string) => {
      const headers = { 'x-paper-token': traders.bob.token, ...(accept && { accept }) };
      const answer = await fetch(`${expiring.venue.url}/v1/statement${query}`, { headers });
      return { type: answer.headers.get('content-type'), text: await answer.text() };
    };
    const { type, text } = await read('', 'text/csv');
    assert.equal(type, 'text/csv; charset=utf-8; header=present');
    const [header, ...lines] = text.split('\r\n');
    assert.equal(
      header,
      'id,ts,time,kind,seriesId,symbol,side,qty,price,premium,fee,change,balance,realized,fillId,orderId,withdrawalId,txHash',
    );
    const { id, ts, fillId, orderId, seriesId } = rows[1];
    const time = new Date(ts).toISOString();
    assert.equal(
      lines[1],
      `${id},${ts},${time},trade,${seriesId},BTC,buy,2,2000,-4000,20,-4020,95980,0,${fillId},${orderId},,`,
    );
    assert.equal(lines.length, rows.length + 1);
    assert.deepEqual(await read('?format=csv'), { type, text });
    assert.match((await read('?format=json', 'text/csv')).type!, /^application\/json/);
    const csvFor = async (accept: string) => (await read('', accept)).type === type;
    for (const accept of [
      'text/csv',
      'TEXT/CSV',
      'text/csv, */*',
      'text/csv, application/json;q=0.9',
      'text/csv; q=0.5',
    ])
      assert.ok(await csvFor(accept), accept);
    for (const accept of [
      ...['', '*/*', 'text/*', 'text/csv;q=0', 'text/csv; q=0.0, */*', 'text/csvx', 'text/csv;q=none'],
      ...['application/json, text/csv', 'text/csv;q=0.5, application/json', 'text/csv;q=0.5, */*'],
    ])
      assert.ok(!(await csvFor(accept)), accept);
  });

  it('is empty for the future, which a client whose clock is ahead may ask for', async () => {
    const { closingBalance, to: now } = (await ask()).body;
    const ahead = now + 3_600_000;
    for (const query of [`?from=${ahead}`, `?from=${ahead}&to=${ahead}`, `?from=${ahead}&to=${ahead + 1}`]) {
      const { status, body } = await ask(query);
      assertShape(StatementSchema, body);
      const { rows, openingBalance, from } = body;
      assert.deepEqual([status, rows, from], [200, [], ahead], query);
      assert.deepEqual([openingBalance, body.closingBalance], [closingBalance, closingBalance]);
      assert.ok(body.to >= ahead);
    }
  });

  it('treats an empty parameter as absent', async () => {
    const { rows } = (await ask()).body;
    const { status, body } = await ask('?from=&to=&next=&limit=&format=');
    assert.deepEqual([status, body.from, body.rows], [200, 0, rows]);
  });

  it('is only for the holder of a token, and refuses an invalid span', async () => {
    assert.equal((await expiring.venue.get('/v1/statement')).status, 401);
    for (const [query, error] of [
      ['?from=yesterday', 'from malformed'],
      ['?to=-1', 'to malformed'],
      ['?from=2&to=1', 'from malformed'],
      [`?from=${Date.now() + 60_000}&to=1`, 'from malformed'],
      ['?from=1&from=2', 'from must be a string'],
      ['?from=1.5', 'from malformed'],
      ['?limit=1001', 'limit malformed'],
      ['?next=7', 'next malformed'],
      ['?format=xml', 'format must be json or csv'],
    ]) {
      const { status, body } = await ask(query);
      assert.deepEqual([status, body], [400, { error }]);
    }
  });

  it('is the same after a restart', async () => {
    const { rows } = (await ask()).body;
    await expiring.restart();
    const bob = await signIn(expiring.venue, traders.bob.wallet);
    assert.deepEqual((await ask('', bob)).body.rows, rows);
  });
});

describe('a statement of real money', () => {
  it('shows held deposits once released, deposits by their transaction, and withdrawals (DEP-2, PAY-2)', async () => {
    const venue = await startVenue(DEPOSITS);
    const session = await openSession(venue);
    const operator = { headers: { 'x-operator-token': OPERATOR_TOKEN } };
    const txHash = `0x${'ab'.repeat(32)}`;
    const deposit = (address: string, logIndex: number) =>
      venue.post(
        '/v1/deposit',
        { address, amount: 70_000_001, txHash, logIndex, blockNumber: 1, blockHash: txHash },
        operator,
      );
    await deposit(session.account, 1);
    await deposit(session.account, 1);
    await venue.post('/v1/withdraw', await session.withdraw(20.5));
    const { body } = await venue.get('/v1/statement', session);
    assert.deepEqual(
      body.rows.map(({ id, ts, ...row }: Json) => row),
      [
        { kind: 'deposit', change: 70.000001, balance: 70.000001, txHash },
        { kind: 'withdrawal', change: -20.5, balance: 49.500001, withdrawalId: 1 },
      ],
    );
    const wallet = newWallet();
    const address = addressOf(wallet);
    for (const logIndex of [2, 3]) await deposit(address, logIndex);
    const late = await signIn(venue, wallet);
    assert.deepEqual((await venue.get('/v1/statement', late)).body.rows, []);
    await venue.post('/v1/operator/held/release', { address }, operator);
    const [release, ...more] = (await venue.get('/v1/statement', late)).body.rows;
    assert.deepEqual([release.kind, release.change, more], ['release', 140.000002, []]);
    await venue.exchange.stop();
  });
});

describe('a venue that cannot keep a history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-no-history-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps trading, and reports statements and old fills as unavailable', async () => {
    writeFileSync(join(folder, 'text'), 'not a folder');
    const venue = await startVenue({}, { history: join(folder, 'text', 'history.db') });
    const alice = await signIn(venue);
    assert.deepEqual((await venue.get('/v1/fills', alice)).body, { fills: [] });
    const { status, body } = await venue.get('/v1/statement', alice);
    assert.deepEqual([status, body], [500, { error: 'history unavailable' }]);
    assert.equal((await venue.post('/v1/margin', { enabled: true }, alice)).status, 200);
    await venue.exchange.stop();
  });
});
