import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account, ComboPreviewAnswer, Position } from '@venue/protocol';
import {
  type ActionResult,
  NotFoundError,
  type OutcomeUnknownError,
  type VenueClient,
  type WriteVerdict,
} from '@venue/sdk/browser';
import type { BatchDone } from '../../../../session/batches.ts';
import { createStores } from '../../../../terminal/stores.ts';
import { NO_ORDER, type Tray } from '../form/order.ts';
import { type TrayMarket, trayForm } from './tray-form.ts';

const id = (strike: number) => `BTC-1795827600-C-${strike}`;
const held = (...all: readonly (readonly [strike: number, qty: number])[]) =>
  new Map(all.map(([strike, qty]) => [id(strike), { seriesId: id(strike), symbol: 'BTC', qty } as Position]));

/** Calls cost 1,800 at a strike of 99,000 and 300 less for every 1,000 above, with a spread of 2. */
const MARKET: TrayMarket = {
  holdings: createStores().holdings.getState(),
  quoteOf(seriesId) {
    const mid = 1_800 - ((Number(seriesId.split('-')[3]) - 99_000) / 1_000) * 300;
    return { bid: mid - 1, ask: mid + 1, mid, iv: 0.5 };
  },
  settlesNear: () => null,
  nowMs: 0,
};
const SPREAD: Tray = {
  ...NO_ORDER,
  legs: [
    { seriesId: id(99_000), side: 'buy', ratio: 1 },
    { seriesId: id(100_000), side: 'sell', ratio: 1 },
  ],
  ...{ isOpen: true, qty: '1', price: '302', place: 0, tif: 'ioc' },
};
const holding = (patch: Partial<TrayMarket['holdings']>): TrayMarket => ({
  ...MARKET,
  holdings: { ...MARKET.holdings, ...patch },
});
const NO_MARGIN = { account: { marginEnabled: false } as Account };
const sent = { ...trayForm.summary(SPREAD, MARKET)!, no: 1, typedQty: '1', knownIds: new Set<number>() };
const settled = (result: object, market = MARKET) => {
  const results = [{ type: 'combo', orderId: 7, fills: [], ...result }] as unknown as ActionResult[];
  return trayForm.settled({ results, isRecovered: false } as unknown as BatchDone, sent, market);
};

describe('CMB-1 the form of the tray', () => {
  it('makes one combo of its legs, and nothing of one leg', () => {
    assert.match(sent.title, /^Buy 1 BTC .* call spread at 302\.00$/);
    const { qtyMicros, actions } = sent;
    const { legs } = SPREAD;
    assert.deepEqual([qtyMicros, actions], [1e6, [{ type: 'combo', legs, qty: 1, net: 302, tif: 'ioc' }]]);
    assert.equal(trayForm.summary({ ...SPREAD, legs: legs.slice(1) }, MARKET), null);
  });

  it('keeps the net at its place between the books, unless it was typed or asked about', () => {
    const followed = (patch: Partial<Tray>) => trayForm.followed({ ...SPREAD, ...patch }, MARKET);
    assert.equal(followed({ price: '302.00' }), null);
    assert.deepEqual(followed({ place: 0.5 }), { price: '300.00', isCredit: false });
    for (const patch of [
      { place: null },
      { sending: 'sending' },
      { cautions: ['Sure?'] },
      { legs: [] },
    ] as const)
      assert.equal(followed({ price: '5', ...patch }), null, JSON.stringify(patch));
  });

  it('asks about an order past its books, with uncovered calls, or of more than is held by now', () => {
    const cautions = (patch: Partial<Tray>, positions = held()) =>
      trayForm.faults({ ...SPREAD, ...patch }, holding({ positions })).cautions;
    assert.deepEqual(cautions({}), []);
    assert.deepEqual(cautions({ price: '900' }), ['A unit is 598.00 worse than its books offer now.']);
    const legs = SPREAD.legs.map((leg) => ({ ...leg, side: 'sell' }) as const);
    const naked = { legs, price: '3298', isCredit: true };
    assert.match(cautions(naked)[0]!, /^Net short 2 calls of an expiry: unlimited loss\.$/);
    assert.deepEqual(cautions({ ...naked, preview: { status: 'rejected' } as ComboPreviewAnswer }), []);
    const close = { isClosing: true };
    assert.match(
      cautions(close, held([99_000, -0.5], [100_000, 0.5]))[0]!,
      /^You hold less by now than this/,
    );
    assert.deepEqual(cautions(close, held([99_000, -1], [100_000, 1])), []);
  });

  it('DRM-1: with margin off, the advice is to turn it on, before and after the order is sent', () => {
    const early = (qty: string, patch: Partial<TrayMarket['holdings']>) =>
      trayForm.advice({ ...SPREAD, qty }, holding(patch))?.kind;
    assert.equal(early('1', NO_MARGIN), 'margin-off');
    const positions = held([100_000, 1]);
    assert.equal(early('1', { ...NO_MARGIN, positions }), undefined);
    assert.equal(early('1.000001', { ...NO_MARGIN, positions }), 'margin-off');
    assert.equal(early('1', { account: { marginEnabled: true } as Account }), undefined);
    const { message } = settled({ status: 'cancelled' }, holding(NO_MARGIN));
    assert.deepEqual([message?.advice.kind, message?.of], ['margin-off', 'account']);
  });

  it('an answer is a card, and keeps the legs unless something traded', () => {
    const refused = settled({ status: 'rejected', reason: 'no liquidity', code: 'no-liquidity' });
    assert.match(
      `${refused.card?.title}: ${refused.card?.text}`,
      /^Not placed: Buy 1 .+ call spread .+: no liquidity$/,
    );
    assert.match(JSON.stringify(refused.message), /Move it to another strike/);
    const nothing = settled({ status: 'cancelled' });
    assert.match(nothing.message!.text, /^Nothing traded: no unit could fill at 302\.00/);
    const fills = SPREAD.legs.map((leg, i) => ({ ...leg, qty: 1, price: i === 0 ? 1_801 : 1_499 }));
    const filled = settled({ status: 'filled', fills });
    assert.deepEqual([filled.card?.text, filled.message], ['1 filled at 302.00.', null]);
  });

  it("CID-1: an order whose answer was lost has the words of the venue's record of it", async () => {
    const lost = async (verdict: WriteVerdict, filledQty: number | null) => {
      const find = async () => {
        if (filledQty === null) throw new NotFoundError(404, 'unknown order');
        return { filledQty, avgPrice: filledQty === 0 ? null : 301.5 };
      };
      const found = { verdict, clientIds: ['ours'] } as unknown as OutcomeUnknownError;
      const client = { orders: { find } } as unknown as VenueClient;
      const { title, text } = await trayForm.lost(found, sent, { client, venueNow: () => 0 });
      assert.equal(title, sent.title);
      return text;
    };
    assert.match(await lost('carried out', 1), /was found at the venue: 1 filled at 301\.50\.$/);
    assert.match(await lost('carried out', 0), /was found at the venue: Nothing traded/);
    assert.match(await lost('carried out', null), /received it and declined it\. Nothing traded\.$/);
    assert.match(await lost('not carried out', null), /never reached the venue and no longer can/);
    assert.match(await lost('unknown', null), /the venue cannot say/);
  });
});
