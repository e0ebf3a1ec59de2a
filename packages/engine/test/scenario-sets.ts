/**
 * Scenario lines about quote sets. Rows of a push are separated by `;`, and their errors name their places:
 *
 *   protect alice 1 AAPL window 1s qty 10 delta 5 frozen 0
 *   push alice 1 AAPL-C-190 bid 3.30x5 ask - iv 0.3 delta 0.5 ; 7 bid 1x1    applied 1 unknown 7
 *   set alice 1                                                              used 0 quotes 1 reserve 16.5
 *
 * A push without `signed` has no nonce. In a batch `unfreeze-set` is `unfreeze`.
 */

import assert from 'node:assert/strict';
import {
  formatDecimal,
  type MicrosQuote,
  type ProtectAction,
  toMicros,
  type UnfreezeAction,
} from '@venue/protocol';
import { ownerOfSet } from '../src/state/quote-sets.ts';
import { previewOrder } from '../src/trading/preview.ts';
import { facts, type Verb } from './scenario-looks.ts';
import { authorization, ladder, succeeded } from './scenario-parts.ts';
import { micros, seriesIdOf, type Venue } from './venue.ts';
import { durationMs, type Words } from './words.ts';

export const SETS: readonly (readonly [string, Verb])[] = [
  ['protect', { run: (venue, words) => alone(venue, words, protectAction), usual: 'ok' }],
  ['unfreeze-set', { run: (venue, words) => alone(venue, words, unfreezeAction), usual: 'ok' }],
  ['push', { run: push, usual: 'applied 1' }],
  ['set', { run: setOf }],
  ['preview', { run: preview }],
];

/** An action in a batch of its own. */
function alone(venue: Venue, words: Words, read: (words: Words) => ProtectAction | UnfreezeAction): string {
  const account = venue.account(words.take()).address!;
  const actions = [read(words)];
  const outcome = succeeded(venue.apply({ kind: 'batch', account, actions, ...authorization(venue, words) }));
  if (typeof outcome === 'string') return outcome;
  const [result] = outcome.results;
  assert.ok(result !== undefined && 'ok' in result);
  return result.ok ? 'ok' : `rejected ${'reason' in result ? result.reason : ''}`;
}

/** `1 AAPL window 100ms qty 10 delta 5 frozen 0`; `1 AAPL qty 0` */
export function protectAction(words: Words): ProtectAction {
  const set = Number(words.take());
  const symbol = words.take();
  const windowMs = words.takeIf('window') ? durationMs(words.take()) : 1_000;
  assert.equal(words.take(), 'qty');
  const qtyMicros = micros(words.take());
  const delta = words.takeIf('delta') ? { deltaMicros: micros(words.take()) } : {};
  const frozenMs = words.takeIf('frozen') && !words.takeIf('0') ? durationMs(words.take()) : 0;
  return { type: 'protect', set, symbol, windowMs, qtyMicros, ...delta, frozenMs };
}

export function unfreezeAction(words: Words): UnfreezeAction {
  return { type: 'unfreeze', set: Number(words.take()) };
}

function push(venue: Venue, words: Words): string {
  const account = venue.account(words.take()).address!;
  const set = Number(words.take());
  const rows: MicrosQuote[] = [];
  if (!words.takeIf('nothing')) {
    do rows.push(row(venue, words));
    while (words.takeIf(';'));
  }
  const bodyHash = 'ab'.repeat(32);
  const { authorization: signed } = authorization(venue, words);
  const signature = `0x${'00'.repeat(65)}` as const;
  const by = signed === undefined ? {} : { authorization: { ...signed, signature } };
  const outcome = succeeded(
    venue.apply({ kind: 'quote-set', account, set, form: 'json', bodyHash, rows, ...by }),
  );
  if (typeof outcome === 'string') return outcome;
  if ('reason' in outcome) return `rejected ${outcome.reason}`;
  if ('status' in outcome) return outcome.status;
  const { applied, kept, rowErrors, unknownSids } = outcome;
  const unknown = unknownSids.length === 0 ? '' : ` unknown ${unknownSids}`;
  const errors = rowErrors.map(({ i, error }) => ` ${i}: ${error}`).join(',');
  return `applied ${applied}${kept === 0 ? '' : ` kept ${kept}`}${unknown}${errors}`;
}

/** `AAPL-C-190 bid 3.30x5 3.20x5 ask - iv 0.3 delta 0.5` */
function row(venue: Venue, words: Words): MicrosQuote {
  const series = words.take();
  const sid = /^\d+$/.test(series) ? Number(series) : venue.series(series).sid;
  const sides = { bid: null as MicrosQuote['bids'], ask: null as MicrosQuote['asks'] };
  for (let side = words.takeMatch(SIDE); side !== undefined; side = words.takeMatch(SIDE))
    sides[side as keyof typeof sides] = ladder(words);
  const iv = words.takeIf('iv') ? { iv: Number(words.take()) } : {};
  const delta = words.takeIf('delta') ? { delta: Number(words.take()) } : {};
  return { sid, bids: sides.bid, asks: sides.ask, ...iv, ...delta };
}

const SIDE = /^(bid|ask)$/;

/** `set alice 1    used 2 usedDelta 1 frozen no quotes 4 reserve 33`; frozen `no`, `yes` until it is unfrozen, or `10s`. */
function setOf(venue: Venue, words: Words): string | Map<string, string> {
  const { state } = venue;
  const found = state.quoteSets.find(venue.account(words.take()).index, Number(words.take()));
  if (found === null) return 'none';
  const { symbol, usedMicros, usedDelta, freeze, reserveMicros } = found;
  const until = freeze?.until ?? null;
  const frozen = until === null ? 'yes' : `${formatDecimal(toMicros((until - venue.nowMs) * 1_000))}s`;
  return facts({
    symbol,
    used: usedMicros,
    usedDelta: formatDecimal(toMicros(Number(usedDelta / 1_000_000n))),
    frozen: freeze === null ? 'no' : frozen,
    quotes: String(state.orders.countOf(ownerOfSet(found))),
    reserve: reserveMicros,
  });
}

/** `preview bob buy AAPL-C-190 2 @ market    filled 2@3.40`: what it would do, with the words of an order. */
function preview(venue: Venue, words: Words): string {
  const account = venue.account(words.take());
  const side = words.take() === 'buy' ? 'buy' : 'sell';
  const seriesId = seriesIdOf(words.take());
  const qtyMicros = micros(words.take());
  assert.equal(words.take(), '@');
  const price = words.take();
  const priceMicros = price === 'market' ? null : micros(price);
  const order = { seriesId, side, qtyMicros, priceMicros } as const;
  const { outcome } = previewOrder(venue.state, account, order, venue.nowMs);
  if (outcome.status === 'rejected') return `rejected ${outcome.reason}`;
  const trades = outcome.trades.map(
    (one) => ` ${formatDecimal(one.qtyMicros)}@${formatDecimal(one.priceMicros)}`,
  );
  return `${outcome.status}${trades.join('')}`;
}
