/** A log in which somebody was refused in every new way is verified like any other. */

// @seconds 8

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyLog } from '@venue/audit';
import { openSqliteLog } from '@venue/log';
import {
  type Action,
  type Quote,
  randomPrivateKey,
  VenueClient,
  VenueError,
  walletFromPrivateKey,
} from '@venue/sdk';
import { pricedVenue } from '../../packages/exchange/test/support.ts';

const SIGNED = { VENUE_REQUIRE_SIGNED_ORDERS: '1' };
const SET = { set: 1, symbol: 'BTC', windowMs: 60_000, qty: 1_000, frozenMs: 0 } as const;
const MICRO = 0.000001;
const BATCH_MAX = 64;

const folder = mkdtempSync(join(tmpdir(), 'venue-refusals-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('ERR-1: a log that holds every new refusal is verified, with every signature in it', async () => {
  const path = join(folder, 'venue.db');
  const venue = await pricedVenue(SIGNED, { log: await openSqliteLog({ path }) });
  const { body } = await venue.get('/v1/series?symbol=BTC');
  const series: readonly { seriesId: string; sid: number }[] = body.series;
  const { seriesId } = series.at(-1)!;
  const trader = async () => {
    const client = new VenueClient({ url: venue.url });
    await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
    return client;
  };
  const said = new Set<string>();
  /** Sends actions, and notes what was declined. */
  const send = async (client: VenueClient, ...actions: readonly Action[]) => {
    const { results } = await client.orders.batch(actions);
    for (const result of results) {
      if ('status' in result && result.status === 'duplicate') said.add('duplicate');
      if ('reason' in result && result.reason != null) said.add(result.reason.replace(/ \(.*/, ''));
    }
  };
  const refuse = async (call: Promise<unknown>) => {
    const thrown = await call.then(
      () => assert.fail('it was answered'),
      (error: unknown) => error,
    );
    assert.ok(thrown instanceof VenueError, String(thrown));
    said.add(thrown.message.replace(/ \(.*/, ''));
  };
  const push = async (client: VenueClient, ...rows: Quote[]) => {
    const { rowErrors } = await client.quotes.push(1, rows);
    for (const { error } of rowErrors) said.add(error);
  };
  const bid = (price: number, qty = 1) =>
    ({ type: 'place', seriesId, side: 'buy', qty, price, tif: 'gtc' }) as const;

  const alice = await trader();
  await send(alice, { ...bid(1), clientId: 'a' }, { ...bid(1), clientId: 'a' });
  await send(alice, { ...bid(2), tif: 'gtd', expiresAt: Date.now() - 60_000 });
  await send(alice, { ...bid(2), tif: 'fok', qty: 5 });
  const spread = [
    { seriesId, side: 'buy', ratio: 1 },
    { seriesId: series.at(-2)!.seriesId, side: 'sell', ratio: 1 },
  ] as const;
  await send(alice, { type: 'combo', legs: spread, qty: 1, net: 5, tif: 'fok' });
  await send(alice, { type: 'margin-mode', mode: 'defined-risk' }, { ...SET, type: 'protect' });

  const maker = await trader();
  await refuse(maker.quotes.push(1, [{ seriesId, bids: [[1, 1]], asks: [] }]));
  await send(maker, { ...SET, type: 'protect' });
  await maker.orders.setMargin(true);
  await maker.orders.place({ seriesId, side: 'sell', qty: 1, price: 900, tif: 'gtc' });
  await push(maker, { seriesId, bids: [[950, 1]], asks: [] }, { seriesId, bids: [[1, MICRO]], asks: [] });
  await push(maker, { seriesId, bids: [[1, 5_000]], asks: [] });
  const levels = Array.from({ length: 40 }, (_, i) => [(50 - i) / 1_000, 1] as [number, number]);
  await push(
    maker,
    ...series.slice(0, 110).map((row) => ({ seriesId: row.seriesId, bids: levels, asks: [] })),
  );

  // As many orders as an account may have by batches, each of which the next ones have to look at.
  for (let at = 0; at <= 10_000; at += BATCH_MAX)
    await send(alice, ...Array.from({ length: BATCH_MAX }, () => bid(0.01, MICRO)));
  const bob = await trader();
  await bob.orders.setMargin(true);
  const sell = { type: 'place', seriesId, side: 'sell', qty: 10, price: 0.01, tif: 'fok' } as const;
  await send(bob, ...Array.from({ length: BATCH_MAX }, () => sell));
  await venue.exchange.stop();

  const expected = [
    ...['duplicate', 'order expired', 'margin mode bars quote sets', 'unknown set', 'post-only would trade'],
    ...['too many levels', 'too many resting orders', 'too much work'],
  ];
  assert.deepEqual(
    expected.filter((reason) => !said.has(reason)),
    [],
    [...said].join('; '),
  );
  const { facts } = await verifyLog({ log: `sqlite:${path}` });
  assert.equal(facts.fault, null);
  assert.ok(facts.entries!.signatures.batch! > 160);
});
