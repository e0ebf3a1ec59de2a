import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Account, Chain, Position } from '@venue/protocol';
import { closingOf } from './closing.ts';
import type { PlaceAction } from './orders.ts';
import { Random } from './random.ts';
import { openingOf, STYLES, type Style } from './styles.ts';
import { legOf, lots, type View } from './view.ts';

const NOW_MS = 1_790_000_000_000;
const EXPIRY_TS = NOW_MS / 1_000 + 7 * 86_400;
const SPOT = 95_000;

/** A chain with strikes around the spot, deltas that fall with the strike, and two-sided quotes. */
function chain(): Chain {
  const rows = Array.from({ length: 21 }, (_, i) => {
    const strike = SPOT + (i - 10) * 1_000;
    const delta = 1 / (1 + Math.exp((strike - SPOT) / 3_000));
    const leg = (right: 'C' | 'P', own: number, value: number) => ({
      seriesId: `BTC-${EXPIRY_TS}-${right}-${strike}`,
      sid: i,
      bid: { price: value - 20, qty: 0.5 },
      ask: { price: value + 20, qty: 0.5 },
      mid: value,
      iv: 0.6,
      delta: own,
      openInterest: 0,
      volume: 0,
    });
    const call = leg('C', delta, 500 + 6_000 * delta);
    const put = leg('P', delta - 1, 500 + 6_000 * (1 - delta));
    return { strike, call, put };
  });
  return { symbol: 'BTC', expiryTs: EXPIRY_TS, spot: SPOT, sessionOpen: true, rows };
}

function account(change: Partial<Account> = {}): Account {
  const money = { cash: 100_000, equity: 100_000, buyingPower: 100_000, locked: 0 };
  const profit = { realizedPnl: 0, unrealizedPnl: 0, maintenanceMargin: 0 };
  const flags = { marginCall: false, marginEnabled: true };
  const orders = { openOrderCount: 0, openOrders: [], positions: [] };
  return { address: `0x${'0a'.repeat(20)}`, ...money, ...profit, ...flags, ...orders, ...change } as Account;
}

function view(change: Partial<View> = {}): View {
  return { account: account(), chain: chain(), move: 0, nowMs: NOW_MS, ...change };
}

function position(strike: number, qty: number, { right = 'C' as 'C' | 'P', mark = 100 } = {}): Position {
  const optType = right === 'C' ? 'call' : 'put';
  const series = { seriesId: `BTC-${EXPIRY_TS}-${right}-${strike}`, symbol: 'BTC', optType, strike } as const;
  return { ...series, expiryTs: EXPIRY_TS, qty, avgPrice: 100, mark, realized: 0, unrealized: 0 };
}

/** The legs that a style opens in many situations that differ only by chance. */
function openings(style: Style, situation: View): PlaceAction[][] {
  return Array.from({ length: 200 }, (_, seed) => openingOf(style, situation, new Random(seed)));
}

describe('what a trader opens', () => {
  test('is the same for one seed', () => {
    for (const style of STYLES)
      assert.deepEqual(openingOf(style, view(), new Random(7)), openingOf(style, view(), new Random(7)));
  });

  test('costs a part of its cash, in whole lots, whatever the chance', () => {
    for (const style of STYLES) {
      const poor = account({ equity: 20_000, cash: 20_000, buyingPower: 9_000 });
      for (const orders of openings(style, view({ account: poor, move: 0.01 }))) {
        const cost = orders.reduce(
          (sum, { side, qty, price }) => sum + Number(qty) * (side === 'buy' ? Number(price) : 0.25 * SPOT),
          0,
        );
        assert.ok(cost <= 0.45 * 9_000, `${style} spends ${cost}`);
        for (const { qty } of orders) assert.equal(lots(Number(qty), SPOT), qty);
      }
    }
  });

  test('is what its style says', () => {
    const rights = (style: Style, situation = view()) =>
      new Set(openings(style, situation).flatMap((orders) => orders.map(kindOf)));
    assert.deepEqual(rights('calls'), new Set(['buy C']));
    assert.deepEqual(rights('puts'), new Set(['buy P']));
    assert.deepEqual(rights('overwriter'), new Set(['buy C']), 'nothing is written that is not covered');
    const covered = view({ account: account({ positions: [position(93_000, 0.2)] }) });
    assert.deepEqual(rights('overwriter', covered), new Set(['sell C']));
    assert.deepEqual(rights('spreads'), new Set(['buy C', 'sell C', 'buy P', 'sell P']));
    assert.deepEqual(rights('momentum'), new Set());
    assert.deepEqual(rights('momentum', view({ move: 0.002 })), new Set(['buy C']));
    assert.deepEqual(rights('momentum', view({ move: -0.002 })), new Set(['buy P']));
  });

  test('is covered by what it owns, contract by contract and below its strike', () => {
    const held = [position(93_000, 0.2), position(97_000, -0.15)];
    const covered = view({ account: account({ positions: held }) });
    for (const order of openings('overwriter', covered).flat()) {
      assert.ok(Number(order.qty) <= 0.05 + 1e-9, `${order.qty}`);
      assert.ok(Number(order.seriesId.split('-')[3]) > 93_000, order.seriesId);
    }
  });

  test('is both legs of a spread or neither', () => {
    for (const orders of openings('spreads', view())) {
      if (orders.length === 0) continue;
      assert.deepEqual(
        orders.map(({ side }) => side),
        ['buy', 'sell'],
      );
      assert.equal(orders[0]!.qty, orders[1]!.qty);
      assert.notEqual(orders[0]!.seriesId, orders[1]!.seriesId);
    }
  });

  test('waits inside the spread, for minutes, or takes no more than is shown', () => {
    for (const { tif, price, qty, seriesId, side, expiresAt } of openings('calls', view()).flat()) {
      const leg = legOf(chain(), { seriesId })!;
      if (tif === 'gtd') {
        assert.ok(Number(price) > leg.bid!.price && Number(price) < leg.ask!.price);
        assert.ok(expiresAt! > NOW_MS && expiresAt! < NOW_MS + 300_000);
      } else {
        assert.deepEqual([tif, side, price], ['ioc', 'buy', leg.ask!.price]);
        assert.ok(Number(qty) <= leg.ask!.qty);
      }
    }
  });
});

describe('what a trader closes', () => {
  const closings = (held: Position, style: Style = 'calls') =>
    Array.from({ length: 200 }, (_, seed) =>
      closingOf(held, {
        style,
        view: view({ account: account({ positions: [held] }) }),
        random: new Random(seed),
      }),
    ).filter((order) => order !== null);

  test('is the whole of it, on the other side', () => {
    for (const [qty, side] of [
      [0.1, 'sell'],
      [-0.1, 'buy'],
    ] as const)
      for (const order of closings(position(95_000, qty, { mark: 150 })))
        assert.deepEqual([order.side, order.qty], [side, 0.1]);
  });

  test('is a gain or a loss sooner than anything else, and those who run take less', () => {
    const count = (mark: number, style?: Style) => closings(position(95_000, 0.1, { mark }), style).length;
    assert.equal(count(140), 200);
    assert.equal(count(55), 200);
    assert.ok(count(110) < 60 && count(110) > 5);
    assert.equal(count(110, 'momentum'), 200);
  });
});

function kindOf({ side, seriesId }: PlaceAction): string {
  return `${side} ${seriesId.split('-')[2]}`;
}
