/** Scenario lines that only read the state, and the text they produce. */

import assert from 'node:assert/strict';
import { formatDecimal, type Micros, toMicros } from '@venue/protocol';
import { type BookSide, BUY, SELL } from '../src/book/book.ts';
import { recentMedianMicros } from '../src/expiry/recent-spots.ts';
import { isFeedFresh } from '../src/expiry/spots.ts';
import { isStopped } from '../src/liquidation/jumps.ts';
import {
  buyingPowerMicros,
  equityMicros,
  isInMarginCall,
  lockedMicros,
  maintenanceMarginMicros,
  positionUnrealizedMicros,
  unrealizedMicros,
} from '../src/risk/margin.ts';
import { markMicros } from '../src/risk/marks.ts';
import { markParts } from '../src/risk/risk-marks.ts';
import { isSetOwner } from '../src/state/quote-sets.ts';
import type { FillRecord } from '../src/state/records.ts';
import type { Decision } from '../src/state/series.ts';
import { ownerOf } from '../src/trading/resting.ts';
import { addressOf, expiryOnDay, type Venue } from './venue.ts';
import type { Words } from './words.ts';

export interface Verb {
  readonly run: (venue: Venue, words: Words) => string | Map<string, string>;
  /** The expectation of a line that names none. */
  readonly usual?: string;
}

export const LOOKS: readonly (readonly [string, Verb])[] = [
  ['account', { run: account }],
  ['position', { run: position }],
  ['instrument', { run: instrument }],
  ['mark', { run: mark }],
  ['marks', { run: marks }],
  ['book', { run: book }],
  ['fills', { run: fills }],
  ['status', { run: (venue, words) => venue.series(words.take()).status }],
  ['decision', { run: decision }],
  ['average', { run: average }],
];

/** Names whose orders a book can show. */
export const WHO = ['alice', 'bob', 'carol', 'dave'];

/** `instrument AAPL    spot 200 feed fresh median 199 stopped no` */
function instrument(venue: Venue, words: Words): Map<string, string> {
  const found = venue.state.instruments.get(words.take());
  assert.ok(found !== undefined, 'no such instrument');
  const feed = isFeedFresh(venue.state, found, venue.nowMs) ? 'fresh' : 'stale';
  const median = recentMedianMicros(found, venue.nowMs) ?? 'none';
  const stopped = isStopped(found, venue.nowMs) ? 'yes' : 'no';
  return facts({ spot: found.spotMicros, feed, series: String(found.series.length), median, stopped });
}

/** `account alice    cash 99993.166 equity 99999.766 locked 0` */
function account(venue: Venue, words: Words): Map<string, string> {
  const { state } = venue;
  const found = venue.account(words.take());
  return facts({
    cash: found.cashMicros,
    equity: equityMicros(venue.state, found),
    locked: lockedMicros(state, found),
    buyingPower: buyingPowerMicros(state, found),
    maintenance: maintenanceMarginMicros(state, found),
    realized: found.realizedMicros,
    unrealized: unrealizedMicros(state, found),
    marginCall: isInMarginCall(state, found) ? 'yes' : 'no',
    margin: found.marginEnabled ? 'on' : 'off',
    mode: found.marginMode,
    orders: String(state.orders.countOf(found.index)),
    frozen: found.frozen ? 'yes' : 'no',
    held: found.heldMicros,
    heldDeposits: String(found.heldCount),
  });
}

/** `position alice AAPL-C-190    qty 2 cost 6.80 realized 0 unrealized -0.10` */
function position(venue: Venue, words: Words): Map<string, string> {
  const found = venue.account(words.take()).positions.get(venue.series(words.take()).sid);
  assert.ok(found !== undefined, 'no position');
  return facts({
    qty: found.qtyMicros,
    cost: found.costMicros,
    realized: found.realizedMicros,
    unrealized: positionUnrealizedMicros(venue.state, found),
  });
}

/** `decision AAPL day 1    price 205.5 by oracle dispersion 48.66 fresh a,b`, `decision AAPL day 1    refusal dispersion-too-wide` */
function decision(venue: Venue, words: Words): Map<string, string> {
  const found = decisionOf(venue, words);
  const { priceMicros, anchorMicros, dispersionMicroBps, sources } = found;
  const fresh = sources.filter((source) => source.fresh).map(({ source }) => source);
  return facts({
    price: priceMicros ?? 'none',
    by: found.by ?? 'nobody',
    refusal: found.refusal?.replaceAll(' ', '-') ?? 'none',
    anchor: anchorMicros ?? 'none',
    dispersion: dispersionMicroBps ?? 'none',
    fresh: fresh.join(',') || 'none',
  });
}

/** `average AAPL day 1 feed    200.5`; `none` for a source without a print in the window. */
function average(venue: Venue, words: Words): string {
  const { sources } = decisionOf(venue, words);
  const name = words.take();
  const found = sources.find(({ source }) => source === name);
  assert.ok(found !== undefined, `no source ${name}`);
  return found.averageMicros === null ? 'none' : formatDecimal(found.averageMicros);
}

function decisionOf(venue: Venue, words: Words): Decision {
  const instrument = venue.state.instruments.get(words.take());
  assert.ok(words.takeIf('day'));
  const found = instrument?.decisions.get(expiryOnDay(Number(words.take())));
  assert.ok(found !== undefined, 'not decided');
  return found;
}

export function facts(values: Record<string, Micros | string>): Map<string, string> {
  return new Map(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : formatDecimal(value),
    ]),
  );
}

/** `mark AAPL-C-190    3.35`; `none` if the book is empty. */
function mark(venue: Venue, words: Words): string {
  const found = markMicros(venue.series(words.take()));
  return found === null ? 'none' : formatDecimal(found);
}

/** `marks AAPL-C-190    iv 0.3 model 10.5 bid 3.30 ask none book 3.35 risk 10.5`: all that a risk mark is made of. */
function marks(venue: Venue, words: Words): Map<string, string> {
  const parts = markParts(venue.state, venue.series(words.take()));
  return facts({
    iv: parts.iv === null ? 'none' : String(parts.iv),
    model: parts.modelMicros ?? 'none',
    bid: parts.bidMicros ?? 'none',
    ask: parts.askMicros ?? 'none',
    book: parts.bookMicros ?? 'none',
    risk: parts.riskMicros,
  });
}

/** `book AAPL-C-190    bid maker 3.30x5 alice/1 3.30x2 ask maker 3.40x5`, in order of priority, `/1` for set 1; `empty`. */
function book(venue: Venue, words: Words): string {
  const { orders } = venue.state;
  const series = venue.series(words.take());
  const names = new Map(WHO.map((name) => [addressOf(name), name]));
  const side = (which: BookSide) => {
    const rows: string[] = [];
    for (let h = series.book.best(which); h !== null; h = series.book.next(h)) {
      const { address, role } = ownerOf(venue.state, h);
      const owner = orders.owner(h);
      const set = isSetOwner(owner) ? `/${venue.state.quoteSets.ofOwner(owner).number}` : '';
      const level = [orders.price(h), orders.remaining(h)].map((amount) => formatDecimal(toMicros(amount)));
      rows.push(`${address === null ? role : names.get(address)}${set} ${level.join('x')}`);
    }
    return rows.length === 0 ? [] : [which === BUY ? 'bid' : 'ask', ...rows];
  };
  return [...side(BUY), ...side(SELL)].join(' ') || 'empty';
}

/** `fills alice    buy 2@3.40 fee 0.034 realized 0 taker`: those since the last such line, separated by commas; `none`. */
function fills(venue: Venue, words: Words): string {
  return venue.takeFills(words.take()).map(describeFill).join(', ') || 'none';
}

function describeFill(fill: FillRecord): string {
  const [qty, price, fee, realized] = [
    fill.qtyMicros,
    fill.priceMicros,
    fill.feeMicros,
    fill.realizedMicros,
  ].map(formatDecimal);
  return `${fill.side} ${qty}@${price} fee ${fee} realized ${realized} ${fill.taker ? 'taker' : 'maker'}`;
}
