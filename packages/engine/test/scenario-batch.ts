/**
 * Scenario lines about batches. Actions are separated by `;`, and so are their results:
 *
 *   batch alice buy AAPL-C-190 2 @ 3.40 ioc id a ; amend b qty 3 price 3.50 ; guard 10s    filled 2@3.40 ; rested 3 ; ok
 *   closes alice                                                                           a filled
 *
 * Orders are named by client id, or by number as in `#7`.
 */

import assert from 'node:assert/strict';
import {
  type AmendAction,
  type BatchAction,
  type CancelAllAction,
  type ComboAction,
  type ComboLeg,
  formatDecimal,
  type MarginMode,
  type OrderFlag,
  type OrderRef,
  type PlaceAction,
  type SelfTradePrevention,
  type TimeInForce,
  toMicros,
} from '@venue/protocol';
import type { ActionResult, ComboResult, PlaceResult } from '../src/entry/outcome.ts';
import type { Series, Side } from '../src/state/series.ts';
import { guardAt } from '../src/trading/due.ts';
import type { Verb } from './scenario-looks.ts';
import { authorization, succeeded } from './scenario-parts.ts';
import { protectAction, unfreezeAction } from './scenario-sets.ts';
import { micros, seriesIdOf, type Venue } from './venue.ts';
import { DURATION, durationMs, type Words } from './words.ts';

export const BATCH: readonly (readonly [string, Verb])[] = [
  ['batch', { run: batch }],
  ['closes', { run: (venue, words) => venue.takeCloses(words.take()).join(', ') || 'none' }],
  ['guard', { run: guardOf }],
];

function batch(venue: Venue, words: Words): string {
  const account = venue.account(words.take()).address!;
  const actions: BatchAction[] = [];
  do actions.push(action(venue, words));
  while (words.takeIf(';'));
  const outcome = succeeded(venue.apply({ kind: 'batch', account, actions, ...authorization(venue, words) }));
  return typeof outcome === 'string' ? outcome : outcome.results.map(resultText).join(' ; ');
}

function action(venue: Venue, words: Words): BatchAction {
  const verb = words.take();
  switch (verb) {
    case 'buy':
    case 'sell':
      return place(venue, words, verb);
    case 'combo':
      return combo(words);
    case 'amend':
      return amend(words);
    case 'cancel':
      return { type: 'cancel', ref: ref(words.take()) };
    case 'cancel-all':
      return cancelAll(words);
    case 'guard':
      return { type: 'guard', ms: words.takeIf('off') ? 0 : durationMs(words.take()) };
    case 'protect':
      return protectAction(words);
    case 'unfreeze':
      return unfreezeAction(words);
    case 'margin-mode':
      return { type: 'margin-mode', mode: words.take() as MarginMode };
    default:
      return assert.fail(`no such action: ${verb}`);
  }
}

/** `buy AAPL-C-190 2 @ 3.40 gtd +10s post-only stp maker id a` */
function place(venue: Venue, words: Words, side: Side): PlaceAction {
  const seriesId = seriesIdOf(words.take());
  const qtyMicros = micros(words.take());
  assert.equal(words.take(), '@');
  const price = words.take();
  const priceMicros = price === 'market' ? null : micros(price);
  const usual = priceMicros === null ? 'ioc' : 'gtc';
  const tif = (words.takeMatch(/^(gtc|ioc|fok|gtd)$/) ?? usual) as TimeInForce;
  const expiresAt = tif === 'gtd' ? { expiresAt: venue.nowMs + durationMs(words.takeMatch(DURATION)!) } : {};
  const flag = words.takeMatch(/^(post-only|reduce-only)$/) as OrderFlag | undefined;
  const stp = (words.takeIf('stp') ? words.take() : 'taker') as SelfTradePrevention;
  const clientId = words.takeIf('id') ? { clientId: words.take() } : {};
  const terms = { tif, ...expiresAt, ...(flag && { flag }), stp, ...clientId };
  return { type: 'place', seriesId, side, qtyMicros, priceMicros, ...terms };
}

/** `combo 2 @ -1.50 fok id a buy AAPL-C-190 sell AAPL-C-200 x2` */
function combo(words: Words): ComboAction {
  const qtyMicros = micros(words.take());
  assert.equal(words.take(), '@');
  const net = words.take();
  const tif = (words.takeMatch(/^(ioc|fok)$/) ?? 'ioc') as ComboAction['tif'];
  const clientId = words.takeIf('id') ? { clientId: words.take() } : {};
  const legs: ComboLeg[] = [];
  for (let side = sideOf(words); side !== undefined; side = sideOf(words)) {
    const seriesId = seriesIdOf(words.take());
    legs.push({ seriesId, side, ratio: Number(words.takeMatch(/^x\d+$/)?.slice(1) ?? 1) });
  }
  return {
    type: 'combo',
    legs,
    qtyMicros,
    netMicros: net === 'market' ? null : micros(net),
    tif,
    ...clientId,
  };
}

function sideOf(words: Words): Side | undefined {
  return words.takeMatch(/^(buy|sell)$/) as Side | undefined;
}

/** `amend a qty 3 price 3.50 at-most 1` */
function amend(words: Words): AmendAction {
  const named = ref(words.take());
  const qty = words.takeIf('qty') ? { qtyMicros: micros(words.take()) } : {};
  const price = words.takeIf('price') ? { priceMicros: micros(words.take()) } : {};
  const filled = words.takeIf('at-most') ? { filledAtMostMicros: micros(words.take()) } : {};
  return { type: 'amend', ref: named, ...qty, ...price, ...filled };
}

/** `cancel-all`, `cancel-all symbols AAPL,BTC sell`, `cancel-all series AAPL-C-190` */
function cancelAll(words: Words): CancelAllAction {
  const symbols = words.takeIf('symbols') && { symbols: words.take().split(',') };
  const series = words.takeIf('series') && { series: words.take().split(',').map(seriesIdOf) };
  const side = words.takeMatch(/^(buy|sell)$/) as Side | undefined;
  return { type: 'cancel-all', scope: symbols || series || 'all', ...(side && { side }) };
}

function ref(name: string): OrderRef {
  return name.startsWith('#') ? { orderId: Number(name.slice(1)) } : { clientId: name };
}

function resultText(result: ActionResult): string {
  if (result.type === 'cancel-all') return `pulled ${result.pulled}`;
  if (result.type === 'combo') return comboText(result);
  if ('status' in result) return placeText(result);
  return result.ok ? 'ok' : `not ok${'reason' in result ? ` ${result.reason}` : ''}`;
}

/** `filled 2@3.40`, `partial 1@3.40 rest 2`, `cancelled of 3 (self-trade prevented)`, `duplicate #7` */
function placeText(result: PlaceResult): string {
  if (result.status === 'rejected') return `rejected ${result.reason}`;
  if (result.status === 'duplicate') return `duplicate #${result.orderId}`;
  const { status, trades, restedMicros, qtyMicros, reason } = result;
  const fills = trades.map((one) => ` ${formatDecimal(one.qtyMicros)}@${formatDecimal(one.priceMicros)}`);
  const rest = restedMicros > 0 ? ` rest ${formatDecimal(restedMicros)}` : '';
  const cut = qtyMicros === undefined ? '' : ` of ${formatDecimal(qtyMicros)}`;
  return `${status}${fills.join('')}${rest}${cut}${reason === undefined ? '' : ` (${reason})`}`;
}

/** `partial of 2: buy AAPL-C-190 1@3.40, sell AAPL-C-200 1@1.20` */
function comboText(result: ComboResult): string {
  if (result.status === 'rejected') return `rejected ${result.reason}`;
  if (result.status === 'duplicate') return `duplicate #${result.orderId}`;
  const fills = result.trades.map(
    ({ series, side, qtyMicros, priceMicros }) =>
      ` ${side} ${shortIdOf(series)} ${formatDecimal(qtyMicros)}@${formatDecimal(priceMicros)}`,
  );
  return `${result.status}${fills.join(',')}`;
}

function shortIdOf({ instrument, right, strikeMicros }: Series): string {
  return `${instrument.symbol}-${right}-${formatDecimal(strikeMicros)}`;
}

/** `guard alice    in 10s`, `guard alice    none` */
function guardOf(venue: Venue, words: Words): string {
  const at = guardAt(venue.state, venue.account(words.take()));
  return at === null ? 'none' : `in ${formatDecimal(toMicros((at - venue.nowMs) * 1_000))}s`;
}
