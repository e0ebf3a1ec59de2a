/**
 * A real exchange, with its defaults, through an expiry: one underlying settles by itself, two are refused and one
 * of those is settled by hand; then a kill -9. Its clock is set shortly before 20:00 in New York on the eve of daylight
 * saving, so that the next expiry is 23 hours later.
 */

// @seconds 104

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type {
  Account,
  FeedPrint,
  FillRecord,
  OrderAnswer,
  Settlement,
  SettlementList,
  StreamFrame,
} from '@venue/protocol';
import {
  type OrderTerms,
  randomPrivateKey,
  VenueClient,
  type Wallet,
  walletFromPrivateKey,
} from '@venue/sdk';
import { eventually, Launched } from '../e2e/launched.ts';
import { auditedReasons, OPERATOR_TOKEN, operator, SECRETS, verifiedHead } from './operator.ts';
import { averageByHand, medianByHand, Poster } from './prices.ts';
import { orderTimes, type Probe, probeCutoff } from './probes.ts';
import { faketimeMissing, ShiftedClock } from './shifted-clock.ts';

const CUTOFF_MS = Date.parse('2026-03-07T20:00:00-05:00');
const CUTOFF_TS = CUTOFF_MS / 1_000;
const NEXT_DAILY_TS = Date.parse('2026-03-08T20:00:00-04:00') / 1_000;
const NEW_DAILY_TS = Date.parse('2026-03-14T20:00:00-04:00') / 1_000;
/** Time for start-up, first listing and trades. */
const LEAD_MS = 75_000;
const SETTLE_LIMIT_MS = 30_000;
const START_LINE = /exchange listening on (\S+)/;

/** Settles by itself: three sources, whose median is the middle one. */
const BTC = `BTC-${CUTOFF_TS}-C-59500`;
/** A single source, where two are required. */
const ETH = `ETH-${CUTOFF_TS}-P-3050`;
const BTC_QTY = 0.25;
const ETH_QTY = 0.4;

const folder = mkdtempSync(join(tmpdir(), 'venue-expiry-'));
const logPath = join(folder, 'venue.db');
const wallets = { alice: newWallet(), bob: newWallet(), carol: newWallet() };
type Name = keyof typeof wallets;
const missing = faketimeMissing();
let exchange: Launched | undefined;

after(() => {
  exchange?.end();
  rmSync(folder, { recursive: true, force: true });
});

function newWallet(): Wallet {
  return walletFromPrivateKey(randomPrivateKey());
}

/** Signed-in clients of the venue. */
type Clients = Record<Name, VenueClient>;

async function start(clock: ShiftedClock): Promise<{ url: string; clients: Clients }> {
  const env = {
    ...clock.env,
    ...SECRETS,
    VENUE_PORT: '0',
    VENUE_LOG: `sqlite:${logPath}`,
    VENUE_LOG_LEVEL: 'warn',
    VENUE_SYMBOLS: 'BTC:crypto,ETH:crypto,SOL:crypto',
    VENUE_FEED_TOKEN: 'feed-secret',
    VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
  };
  exchange = new Launched(['exchange'], { env });
  const [, url] = await exchange.says(START_LINE);
  const signedIn = async (name: Name) => {
    const client = new VenueClient({ url: url! });
    await client.auth.signIn(wallets[name]);
    return client;
  };
  const [alice, bob, carol] = [await signedIn('alice'), await signedIn('bob'), await signedIn('carol')];
  return { url: url!, clients: { alice, bob, carol } };
}

/**
 * BTC rises and ETH falls by a step each second, constant for the last two seconds; after the cutoff both are far away.
 */
function pricesAt(ms: number): FeedPrint[] {
  const step = Math.floor((Math.min(ms, CUTOFF_MS - 2_000) - (CUTOFF_MS - LEAD_MS)) / 1_000);
  const factor = ms > CUTOFF_MS ? 1.05 : 1;
  const btc = (60_000 + 20 * step) * factor;
  const eth = (3_000 - step) * factor;
  return [
    { symbol: 'BTC', source: 'a', price: cents(btc) },
    { symbol: 'BTC', source: 'b', price: cents(btc * 1.001) },
    { symbol: 'BTC', source: 'c', price: cents(btc * 1.003) },
    { symbol: 'ETH', source: 'a', price: cents(eth) },
    { symbol: 'SOL', source: 'a', price: 150 },
    { symbol: 'SOL', source: 'b', price: 154.5 },
  ];
}

const cents = (price: number): number => Math.round(price * 100) / 100;
const micros = (amount: number): number => Math.round(amount * 1e6);

async function settlements({ url }: VenueClient, symbol: string): Promise<SettlementList> {
  const response = await fetch(`${url}/v1/settlements?symbol=${symbol}`);
  assert.equal(response.status, 200);
  return (await response.json()) as SettlementList;
}

async function expiries(venue: VenueClient, symbol: string): Promise<Set<number>> {
  const series = await venue.market.series(symbol);
  return new Set(series.map(({ expiryTs }) => expiryTs));
}

async function accounts(clients: Clients): Promise<Record<Name, Account>> {
  const [alice, bob, carol] = await Promise.all(Object.values(clients).map((client) => client.account.me()));
  return { alice: alice!, bob: bob!, carol: carol! };
}

async function allFills(clients: Clients): Promise<FillRecord[]> {
  return (await Promise.all(Object.values(clients).map((client) => client.account.fills()))).flat();
}

async function placed(client: VenueClient, terms: OrderTerms, status: OrderAnswer['status']): Promise<void> {
  const answer = await client.orders.place(terms);
  assert.equal(answer.status, status, JSON.stringify(answer));
}

async function reasonFor(client: VenueClient, seriesId: string): Promise<string | null> {
  const answer = await client.orders.place({ seriesId, side: 'buy', qty: 1, price: 0.01 });
  return answer.status === 'rejected' ? answer.reason : null;
}

test('an expiry in real processes', { skip: missing ?? false }, async (t) => {
  const clock = new ShiftedClock(CUTOFF_MS - LEAD_MS);
  let { url, clients } = await start(clock);
  const { alice, bob, carol } = clients;
  const poster = new Poster({ feed: alice.feed('feed-secret'), now: () => clock.now(), pricesAt });
  t.after(() => poster.stop());
  const frames: StreamFrame[] = [];
  let before: Record<Name, Account>;
  let probes: Probe[];
  let settledPrice: number;
  let payout: number;
  let settled: Record<Name, Account>;
  let anchor: number;
  let handPrice: number;
  let head: string;

  await t.test('before it: series are listed, longs and shorts are traded, orders rest', async () => {
    await eventually('listings', async () => (await expiries(alice, 'SOL')).size > 0);
    const listed = await expiries(alice, 'BTC');
    assert.deepEqual(
      [CUTOFF_TS, NEXT_DAILY_TS, NEW_DAILY_TS].map((ts) => listed.has(ts)),
      [true, true, false],
    );
    for (const client of [alice, bob]) await client.orders.setMargin(true);
    await placed(bob, { seriesId: BTC, side: 'sell', qty: BTC_QTY, price: 800 }, 'rested');
    await placed(alice, { seriesId: BTC, side: 'buy', qty: BTC_QTY, price: 800 }, 'filled');
    await placed(alice, { seriesId: ETH, side: 'sell', qty: ETH_QTY, price: 60 }, 'rested');
    await placed(bob, { seriesId: ETH, side: 'buy', qty: ETH_QTY, price: 60 }, 'filled');
    await placed(carol, { seriesId: BTC, side: 'buy', qty: 2, price: 100 }, 'rested');
    await placed(carol, { seriesId: ETH, side: 'buy', qty: 2, price: 10 }, 'rested');
    await placed(bob, { seriesId: ETH, side: 'sell', qty: ETH_QTY, price: 500 }, 'rested');
    await alice.stream({ onFrame: (frame) => frames.push(frame) });
    before = await accounts(clients);
    assert.deepEqual([before.carol.locked, before.bob.openOrderCount], [220, 1]);
    assert.ok(clock.now() < CUTOFF_MS - 2_000, 'the machine is too slow for the time before the cutoff');
  });

  await t.test('FINE-5: by the log, orders are refused from the cutoff on, to the millisecond', async () => {
    probes = await probeCutoff({ venue: carol, clock, cutoffMs: CUTOFF_MS, series: [BTC, ETH] });
    const times = orderTimes(logPath);
    const late = (probe: Probe) => times.get(micros(probe.qty))! >= CUTOFF_MS;
    for (const probe of probes) {
      const { seriesId, reason } = probe;
      if (!late(probe)) assert.equal(reason, null);
      else if (seriesId === ETH) assert.equal(reason, 'series expired');
      else assert.match(reason!, /^series (expired|settled)$/);
    }
    const lateCount = probes.filter(late).length;
    assert.ok(
      lateCount >= 10 && probes.length - lateCount >= 10,
      `${lateCount} of ${probes.length} are late`,
    );
  });

  await t.test(
    'ORA-1: within 30 s the oracle names the price that the posted prints average to',
    async () => {
      const [settlement] = await eventually(
        'a settlement of BTC',
        async () => {
          const { settlements: found } = await settlements(alice, 'BTC');
          return found.length > 0 && found;
        },
        SETTLE_LIMIT_MS,
      );
      const { price, by, expiryTs, decidedAt, sources } = settlement!;
      assert.deepEqual([expiryTs, by, sources.length], [CUTOFF_TS, 'oracle', 3]);
      assert.ok(
        decidedAt >= CUTOFF_MS && decidedAt < CUTOFF_MS + SETTLE_LIMIT_MS,
        `${decidedAt - CUTOFF_MS} ms`,
      );
      const averages = sources.map(({ source, average, fresh }) => {
        assert.equal(fresh, true);
        const printed = poster.posted.filter((print) => print.symbol === 'BTC' && print.source === source);
        const byHand = averageByHand(printed, CUTOFF_MS);
        assert.ok(
          Math.abs(average! - byHand.price) <= byHand.tolerance,
          `${source}: ${average} ${JSON.stringify(byHand)}`,
        );
        return byHand;
      });
      const median = medianByHand(averages);
      assert.ok(Math.abs(price - median.price) <= median.tolerance);
      // The first price held for most of the half hour; the tolerance must not hide the rest of it.
      const first = poster.posted.find(({ source }) => source === 'b')!.price;
      assert.ok(median.tolerance < (median.price - first) / 20, JSON.stringify(median));
      t.diagnostic(
        `${price}, by hand ${median.price}, tolerance ${median.tolerance}, ${decidedAt - CUTOFF_MS} ms after`,
      );
      settledPrice = price;
      payout = settledPrice - 59_500;
    },
  );

  await t.test('FINE-7: shorts pay longs the intrinsic value, with a row, a frame and no fee', async () => {
    settled = await accounts(clients);
    const paid = micros(settled.alice.cash) - micros(before.alice.cash);
    assert.ok(Math.abs(paid - micros(BTC_QTY * payout)) <= 1, `${paid}`);
    assert.equal(micros(before.bob.cash) - micros(settled.bob.cash), paid);
    assert.equal(settled.carol.cash, before.carol.cash);
    for (const [client, side] of [
      [alice, 'sell'],
      [bob, 'buy'],
    ] as const) {
      const rows = (await client.account.fills()).filter(({ kind }) => kind !== 'trade');
      const [{ seriesId, price, qty, orderId, fee, taker, kind }] = rows as [FillRecord];
      const expected = [1, BTC, side, micros(payout), BTC_QTY, 0, 0, false, 'settlement'];
      assert.deepEqual(
        [rows.length, seriesId, rows[0]!.side, micros(price), qty, orderId, fee, taker, kind],
        expected,
      );
    }
    const frame = await eventually('its fill frame', () =>
      frames.find((one) => one.type === 'fill' && one.fill.seriesId === BTC),
    );
    assert.ok(frame.type === 'fill');
    assert.deepEqual(
      [frame.fill.side, micros(frame.fill.price), frame.fill.qty],
      ['sell', micros(payout), BTC_QTY],
    );
    await eventually('an account frame without the position', () =>
      frames.some(
        (one) => one.type === 'account' && one.account.positions.every(({ seriesId }) => seriesId !== BTC),
      ),
    );
  });

  await t.test('settled series are gone: positions, orders, reserves, listings', async () => {
    assert.equal(await reasonFor(carol, BTC), 'series settled');
    for (const { positions } of Object.values(settled)) {
      assert.ok(positions.every(({ seriesId }) => seriesId !== BTC));
    }
    const { openOrderCount, locked, buyingPower, cash } = settled.carol;
    assert.deepEqual([openOrderCount, locked, buyingPower], [0, 0, cash]);
    assert.ok(!(await expiries(alice, 'BTC')).has(CUTOFF_TS));
    assert.deepEqual(await alice.market.book(BTC), { seriesId: BTC, bids: [], asks: [] });
  });

  await t.test('LIST-3: the roll lists the seventh day from now', async () => {
    for (const symbol of ['BTC', 'ETH']) {
      await eventually(`the new daily of ${symbol}`, async () =>
        (await expiries(alice, symbol)).has(NEW_DAILY_TS),
      );
      assert.ok(!(await expiries(alice, symbol)).has(CUTOFF_TS));
    }
  });

  await t.test('refused series wait: positions kept, no cash moved, no orders left', async () => {
    const { pendingReview } = await alice.market.meta();
    assert.ok(pendingReview.includes(ETH) && !pendingReview.some((seriesId) => seriesId.startsWith('BTC')));
    assert.deepEqual(
      [settled.alice, settled.bob].map(({ positions }) =>
        positions.map(({ seriesId, qty }) => [seriesId, qty]),
      ),
      [[[ETH, -ETH_QTY]], [[ETH, ETH_QTY]]],
    );
    assert.equal(settled.bob.openOrderCount, 0);
    assert.equal(await reasonFor(carol, ETH), 'series expired');
    const [eth, sol] = [await settlements(alice, 'ETH'), await settlements(alice, 'SOL')];
    assert.deepEqual([eth.settlements, sol.settlements], [[], []]);
    assert.deepEqual(
      [eth.refused?.[0]?.reason, sol.refused?.[0]?.reason],
      ['too few fresh sources', 'dispersion too wide'],
    );
    anchor = eth.refused![0]!.anchor!;
    assert.equal(anchor, pricesAt(CUTOFF_MS).find(({ symbol }) => symbol === 'ETH')!.price);
  });

  await t.test('a hand settlement needs both secrets and a price within the bound', async () => {
    handPrice = cents(anchor * 1.005);
    const settle = (price: number, secrets: Record<string, string>) =>
      operator(url, ['settle', '--series', ETH, '--price', `${price}`], secrets);
    const wrong = { ...SECRETS, VENUE_SETTLE_TOKEN_2: SECRETS.VENUE_SETTLE_TOKEN_1 };
    const stranger = await fetch(`${url}/v1/operator/settle`, { method: 'POST' });
    assert.equal(stranger.status, 403);
    const refused = [await settle(handPrice, wrong), await settle(cents(anchor * 1.011), SECRETS)];
    assert.deepEqual(
      refused.map(({ code }) => code),
      [1, 1],
    );
    assert.match(refused[0]!.output, /wrong credential/);
    assert.match(refused[1]!.output, /outside the bound/);
    assert.equal((await alice.account.me()).cash, settled.alice.cash);

    const accepted = await settle(handPrice, SECRETS);
    assert.equal(accepted.code, 0, accepted.output);
    const now = await accounts(clients);
    const paid = micros(now.bob.cash) - micros(settled.bob.cash);
    assert.ok(Math.abs(paid - micros(ETH_QTY * (3_050 - handPrice))) <= 1, `${paid}`);
    assert.equal(micros(settled.alice.cash) - micros(now.alice.cash), paid);
    assert.deepEqual([now.alice.positions, now.bob.positions, now.alice.locked], [[], [], 0]);
    assert.equal(await reasonFor(carol, ETH), 'series settled');

    const again = await settle(handPrice, SECRETS);
    assert.equal(again.code, 1);
    assert.match(again.output, /series settled/);
  });

  await t.test('its siblings settle only at the same price, all together', async () => {
    const settle = (price: number) =>
      operator(
        url,
        ['settle', '--symbol', 'ETH', '--expiry', `${CUTOFF_TS}`, '--price', `${price}`],
        SECRETS,
      );
    const other = await settle(anchor);
    assert.equal(other.code, 1);
    assert.match(other.output, /price differs/);
    assert.equal((await settle(handPrice)).code, 0);
    const [{ price, by }] = (await settlements(alice, 'ETH')).settlements as [Settlement];
    assert.deepEqual([price, by], [handPrice, 'hand']);
    const { pendingReview } = await alice.market.meta();
    assert.ok(pendingReview.length > 0 && pendingReview.every((seriesId) => seriesId.startsWith('SOL')));
    assert.deepEqual(await auditedReasons(url), [
      'wrong credential',
      'wrong credential',
      'price outside the bound of the last oracle print',
      null,
      'series settled',
      'price differs from the one decided for this expiry',
      null,
    ]);
    head = await verifiedHead(url, 7);
  });

  const { VENUE_SETTLE_TOKEN_1, VENUE_SETTLE_TOKEN_2 } = SECRETS;
  let confirmation: string[];
  await t.test(
    'CUS-10: one of two people proposes to settle, and is told what the other has to type',
    async () => {
      const [refused] = (await settlements(alice, 'SOL')).refused!;
      const target = ['--symbol', 'SOL', '--expiry', `${CUTOFF_TS}`, '--price', `${refused!.anchor}`];
      const { code, output } = await operator(url, ['settle', 'propose', ...target], {
        VENUE_SETTLE_TOKEN_1,
      });
      assert.equal(code, 0, output);
      confirmation = /^ {2}venue operator (settle confirm .*)$/m.exec(output)![1]!.split(' ');
      head = await verifiedHead(url, 8, head);
    },
  );

  await t.test('after a kill -9 and a restart everything is unchanged', async () => {
    await poster.stop();
    const known = await lasting(clients);
    exchange!.process.kill('SIGKILL');
    await exchange!.exits();
    ({ url, clients } = await start(clock));
    assert.deepEqual(await lasting(clients), known);
    assert.equal(await verifiedHead(url, 8, head), head);
    const everyCash = Object.values(await accounts(clients)).reduce((sum, { cash }) => sum + micros(cash), 0);
    const fees = (await allFills(clients)).reduce((sum, { fee }) => sum + micros(fee), 0);
    assert.equal(everyCash + fees, micros(3 * 100_000));
  });

  await t.test('CUS-10: what was proposed before the kill the other person confirms after it', async () => {
    const own = await operator(url, confirmation, { VENUE_SETTLE_TOKEN_1 });
    assert.equal(own.code, 1);
    assert.match(own.output, /the other secret has to confirm/);
    const { code, output } = await operator(url, confirmation, { VENUE_SETTLE_TOKEN_2 });
    assert.equal(code, 0, output);
    assert.deepEqual((await clients.alice.market.meta()).pendingReview, []);
    assert.equal((await settlements(clients.alice, 'SOL')).settlements[0]!.by, 'hand');
    assert.notEqual(await verifiedHead(url, 10, head), head);
  });
});

/** The state a restart must not change. */
async function lasting(clients: Clients) {
  const { pendingReview } = await clients.alice.market.meta();
  return {
    accounts: await accounts(clients),
    fills: await allFills(clients),
    settlements: [await settlements(clients.alice, 'BTC'), await settlements(clients.alice, 'ETH')],
    pendingReview,
  };
}
