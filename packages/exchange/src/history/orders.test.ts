// @process exchange-history
// @seconds 6

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Account, createState, type Effects, type FillRecord, type Series } from '@venue/engine';
import { type OrderRecord, type OrderTerms, type PlainOrderRecord, toMicros } from '@venue/protocol';
import { OrderListSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { Random } from '../../../engine/sim/random.ts';
import { openFile, Traded, traders } from '../../test/movements.ts';
import { orderListView, orderView } from '../views/order-record.ts';
import { History } from './history.ts';
import { NO_ROWS } from './layout.ts';
import type { OrdersQuery } from './order-reads.ts';
import { IN_MEMORY } from './schema.ts';
import { standingOf } from './standing.ts';
import { type HistoryStore, openHistoryStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-history-orders-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const QUIET = { info() {}, error() {} };
const listShape = Compile(OrderListSchema);

async function begun(state = createState(), store?: HistoryStore): Promise<History> {
  const opened = store ?? (await openHistoryStore(IN_MEMORY));
  const standing = standingOf(state, { withValues: true });
  const { seq } = state;
  await opened.ask('begin', {
    kind: 'anew',
    ...{ seq, ts: 0, lastFillId: 0 },
    completeFromMs: 0,
    balances: [],
    standing,
    settlements: NO_ROWS,
    wrong: null,
  });
  const log = { readBatches: () => Promise.reject(new Error('not needed')) };
  return new History({ store: opened, state, log, logger: QUIET, seq });
}

/** Every page, each asked for from the end of the one before. */
async function pagedOrders(
  history: History,
  query: Pick<OrdersQuery, 'account' | 'limit'> & Partial<OrdersQuery>,
): Promise<OrderRecord[]> {
  const all: OrderRecord[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = orderListView(
      await history.read('orders', { status: null, symbol: null, ...query, before }),
    );
    assert.ok(listShape.Check(page), JSON.stringify(listShape.Errors(page)));
    assert.ok(page.orders.length <= query.limit);
    all.push(...page.orders);
    if (page.before === undefined) return all;
    assert.equal(page.orders.length, query.limit);
    before = page.before;
  }
}

describe('the orders of a seeded venue', () => {
  for (const seed of [3, 12]) {
    it(`are those that the engine spoke of, for every account, filter and size of page (CID-2, seed ${seed})`, async () => {
      const traded = await Traded.begin(seed, false);
      const history = await begun(traded.state, await openFile(join(folder, `${seed}.db`)));
      const random = new Random(seed);
      for (let i = 0; i < 60; i++) {
        // What happens to an order is written at once, or in parts.
        await traded.trade(random.between(1, 30), history.effects, () => history.applied());
        if (random.chance(0.6)) await history.read('orders', { ...FIRST_PAGE, account: 3 });
      }
      const causes = new Set<string>();
      let combos = 0;
      for (const { index } of traders(traded.state)) {
        const all = traded.orders.recordsOf(index);
        for (const { cause } of all) causes.add(cause ?? 'open');
        combos += all.filter((order) => 'legs' in order && order.filledQty > 0).length;
        await assertFound(history, { account: index, all, random });
      }
      for (const cause of ['open', 'filled', 'user', 'ioc', 'settlement', 'liquidation'])
        assert.ok(causes.has(cause), cause);
      assert.ok(combos > 0, 'combos that traded');
    });
  }
});

const FIRST_PAGE = { status: null, symbol: null, before: Number.MAX_SAFE_INTEGER, limit: 1 } as const;

async function assertFound(
  history: History,
  { account, all, random }: { account: number; all: readonly OrderRecord[]; random: Random },
): Promise<void> {
  for (const status of [null, 'open', 'closed'] as const) {
    for (const symbol of [null, 'BTC', 'ETH']) {
      const expected = all.filter(
        (order) =>
          (status === null || (order.cause === null) === (status === 'open')) &&
          (symbol === null || order.symbol === symbol),
      );
      const limit = random.between(1, 9);
      assert.deepEqual(await pagedOrders(history, { account, status, symbol, limit }), expected);
    }
  }
  for (const order of all) {
    assert.deepEqual(orderView((await history.read('order', { account, id: order.id }))!), order);
    assert.equal(
      await history.read('order', { account: account + 1, id: order.id }),
      null,
      'not of another account',
    );
  }
  assert.equal(await history.read('order', { account, id: 1e15 }), null);
}

/** A history that is fed with orders by hand; each `entry` is fully applied when it returns. */
class Told {
  readonly state = createState();
  readonly account = { index: 3, role: 'trader' } as Account;
  readonly series = { sid: 5, seriesId: 'BTC-1-C-1', instrument: { symbol: 'BTC' } } as Series;
  #history!: History;

  static async begin(): Promise<Told> {
    const told = new Told();
    told.#history = await begun(told.state);
    return told;
  }

  entry(ts: number, act: (effects: Effects) => void): void {
    this.state.seq += 1;
    this.state.ts = ts;
    act(this.#history.effects);
    this.#history.applied();
  }

  opened(
    effects: Effects,
    id: number,
    more: { price?: number | null; qty?: number; terms?: Partial<OrderTerms> },
  ) {
    const { account, series } = this;
    const { price = 1, qty = 1, terms } = more;
    effects.orderOpened({
      ...{ id, account, series, side: 'buy', qtyMicros: toMicros(qty) },
      priceMicros: price === null ? null : toMicros(price),
      terms: { tif: 'gtc', stp: 'taker', ...terms },
    });
  }

  filled(
    effects: Effects,
    orderId: number,
    fill: { price: number; qty: number; kind?: FillRecord['kind'] },
  ): void {
    const { series, state } = this;
    this.state.lastFillId += 1;
    const zero = toMicros(0);
    const row: FillRecord = {
      ...{
        id: state.lastFillId,
        orderId,
        series,
        side: 'buy',
        taker: false,
        ts: state.ts,
        signer: undefined,
      },
      ...{ feeMicros: zero, realizedMicros: zero, kind: fill.kind ?? 'trade' },
      ...{ priceMicros: toMicros(fill.price), qtyMicros: toMicros(fill.qty) },
    };
    effects.filled(this.account, row, zero);
  }

  async order(id: number): Promise<PlainOrderRecord | null> {
    const found = await this.#history.read('order', { account: 3, id });
    return found && (orderView(found) as PlainOrderRecord);
  }

  async byClientId(clientId: string): Promise<number | undefined> {
    return (await this.#history.read('order', { account: 3, clientId }))?.id;
  }

  async ids(account = 3): Promise<number[]> {
    return (await pagedOrders(this.#history, { account, limit: 500 })).map(({ id }) => id);
  }
}

describe('an order in the history', () => {
  it('has every field of its terms, and null for a missing one (DET-4)', async () => {
    const told = await Told.begin();
    const terms = { tif: 'gtd', expiresAt: 9_000, flag: 'post-only', clientId: 'a-1' } as const;
    told.entry(1_000, (effects) => {
      told.opened(effects, 1, { price: 2_500_000, qty: 3_000_000, terms });
      told.opened(effects, 2, { price: null, terms: { tif: 'ioc' } });
    });
    assert.deepEqual(await told.order(1), {
      ...{ id: 1, clientId: 'a-1', seriesId: 'BTC-1-C-1', symbol: 'BTC', side: 'buy', price: 2.5, qty: 3 },
      ...{ remaining: 3, filledQty: 0, avgPrice: null, tif: 'gtd', expiresAt: 9_000, flag: 'post-only' },
      ...{ status: 'open', cause: null, ts: 1_000, closedAt: null },
    });
    const market = (await told.order(2))!;
    assert.deepEqual(
      [market.price, market.flag, 'clientId' in market, 'expiresAt' in market],
      [null, null, false, false],
    );
    told.entry(9_500, (effects) => effects.orderClosed(told.account, 1, 'gtd'));
    const { status, cause, remaining, closedAt } = (await told.order(1))!;
    assert.deepEqual([status, cause, remaining, closedAt], ['expired', 'gtd', 0, 9_500]);
  });

  it('has the exact average of its fills, whose values together are far past 2^53 (CID-2)', async () => {
    const told = await Told.begin();
    const [price, qty] = [4_503_599_627_371, 1_999_999_999];
    told.entry(1, (effects) => {
      told.opened(effects, 1, { price: 9_000_000_000_000, qty: 2 * qty });
      told.filled(effects, 1, { price, qty });
      // The least amount at the next lower price: the average is just below the first, which a double cannot tell.
      told.filled(effects, 1, { price: price - 1, qty: 1 });
    });
    assert.deepEqual((await told.order(1))!.avgPrice, 4_503_599.62737);
    told.entry(2, (effects) => told.filled(effects, 1, { price: price + 1, qty: 1 }));
    const { avgPrice, filledQty, remaining } = (await told.order(1))!;
    assert.deepEqual([avgPrice, filledQty, remaining], [4_503_599.627371, 2000.000001, 1999.999997]);
  });

  it('is the same whether its life is written at once or event by event', async () => {
    const lives = [];
    for (const isReadBetween of [false, true]) {
      const told = await Told.begin();
      const steps: ((effects: Effects) => void)[] = [
        (effects) => told.opened(effects, 1, { price: 100, qty: 50 }),
        (effects) => told.filled(effects, 1, { price: 100, qty: 7 }),
        (effects) =>
          effects.orderAmended({
            id: 1,
            account: told.account,
            priceMicros: toMicros(110),
            qtyMicros: toMicros(60),
          }),
        (effects) => told.filled(effects, 1, { price: 105, qty: 3 }),
        (effects) => effects.orderClosed(told.account, 1, 'guard'),
      ];
      for (const [at, step] of steps.entries()) {
        told.entry(10 + at, step);
        if (isReadBetween) await told.ids();
      }
      lives.push(await told.order(1));
    }
    assert.deepEqual(lives[0], lives[1]);
    const { price, qty, filledQty, avgPrice, status, cause, closedAt } = lives[0]!;
    assert.deepEqual(
      [price, qty, filledQty, avgPrice, status, cause, closedAt],
      [0.00011, 0.00006, 0.00001, 0.000101, 'cancelled', 'guard', 14],
    );
  });

  it('is found by its client id, the newest if several had it (CID-2)', async () => {
    const told = await Told.begin();
    told.entry(1, (effects) => told.opened(effects, 1, { terms: { clientId: 'again' } }));
    told.entry(2, (effects) => effects.orderClosed(told.account, 1, 'user'));
    assert.equal(await told.byClientId('again'), 1);
    told.entry(3, (effects) => told.opened(effects, 2, { terms: { clientId: 'again' } }));
    assert.equal(await told.byClientId('again'), 2);
    assert.equal(await told.byClientId('AGAIN'), undefined);
  });

  it('is no fill of a liquidation, a settlement, or an order that nobody opened', async () => {
    const told = await Told.begin();
    told.entry(1, (effects) => {
      told.opened(effects, 1, { qty: 10 });
      told.filled(effects, 1, { price: 1, qty: 4, kind: 'settlement' });
      told.filled(effects, 2, { price: 1, qty: 4, kind: 'liquidation' });
      told.filled(effects, 3, { price: 1, qty: 4 });
    });
    assert.deepEqual(await told.ids(), [1]);
    assert.equal((await told.order(1))!.filledQty, 0);
  });

  it('is not the maker’s', async () => {
    const told = await Told.begin();
    const maker = { index: 1, role: 'maker' } as Account;
    told.entry(1, (effects) => {
      const terms = { tif: 'gtc', stp: 'none' } as const;
      const micro = toMicros(1);
      const { series } = told;
      effects.orderOpened({
        id: 1,
        account: maker,
        series,
        side: 'buy',
        priceMicros: micro,
        qtyMicros: micro,
        terms,
      });
    });
    assert.deepEqual([await told.ids(), await told.ids(maker.index)], [[], []]);
  });
});
