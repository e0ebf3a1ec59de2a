/**
 * The legs of the strategy tray, and what a person does with them. Functions that change legs give a new list, and throw
 * `RangeError` with a sentence for one that the venue would call malformed (CMB-1), or for a strike that is not listed: as
 * the builders of spreads do.
 */

import {
  COMBO_LEGS_MAX,
  formatSeriesId,
  LEG_RATIO_MAX,
  microsToDecimal,
  parseSeriesId,
  type Right,
} from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { microsOf } from '../../../../basics/micros.ts';
import type { Side } from '../../../../market/touch.ts';

/** A leg with the terms that its series names. */
export interface NamedLeg extends SpreadLeg {
  readonly symbol: string;
  /** Unix seconds. */
  readonly expiryTs: number;
  readonly right: Right;
  /** Dollars. */
  readonly strike: number;
}

/** The terms of the legs, in their order. */
export function namedLegs(legs: readonly SpreadLeg[]): NamedLeg[] {
  return legs.map((leg) => {
    const terms = parseSeriesId(leg.seriesId);
    if (terms === undefined) throw new RangeError(`${leg.seriesId} is no contract.`);
    const { symbol, expiryTs, right, strikeMicros } = terms;
    return { ...leg, symbol, expiryTs, right, strike: microsToDecimal(strikeMicros) };
  });
}

/** The series of a leg at another strike or expiry, in dollars and Unix seconds. */
export function seriesAt(
  leg: Pick<NamedLeg, 'symbol' | 'expiryTs' | 'right' | 'strike'>,
  at: { readonly strike?: number; readonly expiryTs?: number },
): string {
  const { symbol, expiryTs, right, strike } = { ...leg, ...at };
  const strikeMicros = microsOf(strike);
  return formatSeriesId({ symbol, expiryTs, right, strikeMicros });
}

/** Adds a contract: one more of a leg of its side, one less of a leg of the other side. */
export function withLeg(
  legs: readonly SpreadLeg[],
  { seriesId, side }: { readonly seriesId: string; readonly side: Side },
): SpreadLeg[] {
  const same = legs.find((leg) => leg.seriesId === seriesId);
  if (same === undefined) return checked([...legs, { seriesId, side, ratio: 1 }]);
  const ratio = same.ratio + (same.side === side ? 1 : -1);
  return ratio === 0 ? withoutLeg(legs, seriesId) : withRatio(legs, seriesId, ratio);
}

export function withoutLeg(legs: readonly SpreadLeg[], seriesId: string): SpreadLeg[] {
  return legs.filter((leg) => leg.seriesId !== seriesId);
}

export function withRatio(legs: readonly SpreadLeg[], seriesId: string, ratio: number): SpreadLeg[] {
  return checked(legs.map((leg) => (leg.seriesId === seriesId ? { ...leg, ratio } : leg)));
}

/** Buys what was sold, or the reverse. */
export function turned(legs: readonly SpreadLeg[], seriesId: string): SpreadLeg[] {
  return legs.map((leg) => (leg.seriesId === seriesId ? opposite(leg) : leg));
}

/** Moves a leg to another series; two legs of one series are none of a combo. */
export function moved(legs: readonly SpreadLeg[], seriesId: string, toSeriesId: string): SpreadLeg[] {
  return checked(legs.map((leg) => (leg.seriesId === seriesId ? { ...leg, seriesId: toSeriesId } : leg)));
}

/** Strikes listed for an expiry, in dollars, ascending. */
export type StrikesOf = (expiryTs: number) => readonly number[];

/** Moves a leg to a listed strike of its expiry. */
export function atStrike(
  legs: readonly SpreadLeg[],
  seriesId: string,
  at: { readonly strike: number; readonly strikesOf: StrikesOf },
): SpreadLeg[] {
  const [leg] = namedLegs(legs.filter((one) => one.seriesId === seriesId));
  if (leg === undefined || leg.strike === at.strike) return [...legs];
  return moved(legs, seriesId, listedAt(leg, { strike: at.strike }, at.strikesOf));
}

/** The series some listed strikes above a contract, or below it if negative, as far as there are any. */
export function beside(seriesId: string, strikes: number, strikesOf: StrikesOf): string {
  const [leg] = namedLegs([{ seriesId, side: 'buy', ratio: 1 }]);
  const listed = strikesOf(leg!.expiryTs);
  const at = listed.indexOf(leg!.strike) + strikes;
  const strike = listed[Math.min(listed.length - 1, Math.max(0, at))];
  return strike === undefined ? seriesId : seriesAt(leg!, { strike });
}

/** Moves every leg to another expiry with its strike. */
export function atExpiries(
  legs: readonly SpreadLeg[],
  to: { readonly next: (expiryTs: number) => number; readonly strikesOf: StrikesOf },
): SpreadLeg[] {
  return namedLegs(legs).map((leg) => ({
    seriesId: listedAt(leg, { expiryTs: to.next(leg.expiryTs) }, to.strikesOf),
    side: leg.side,
    ratio: leg.ratio,
  }));
}

function listedAt(leg: NamedLeg, at: Parameters<typeof seriesAt>[1], strikesOf: StrikesOf): string {
  const { expiryTs, strike } = { ...leg, ...at };
  if (!strikesOf(expiryTs).includes(strike))
    throw new RangeError(`No strike ${strike.toLocaleString('en-US')} is listed for that expiry.`);
  return seriesAt(leg, at);
}

/** In the order in which they trade: what is bought comes first. */
export function inOrder(legs: readonly SpreadLeg[]): SpreadLeg[] {
  return legs.toSorted((a, b) => Number(a.side === 'sell') - Number(b.side === 'sell'));
}

/** The legs, if they can be part of one combo. */
export function checked(legs: readonly SpreadLeg[]): SpreadLeg[] {
  if (legs.length > COMBO_LEGS_MAX) throw new RangeError(`One order has at most ${COMBO_LEGS_MAX} legs.`);
  const [first, ...others] = namedLegs(legs);
  const foreign = others.find(({ symbol }) => symbol !== first!.symbol);
  if (foreign !== undefined)
    throw new RangeError(
      `All legs of an order are of one underlying, not ${first!.symbol} and ${foreign.symbol}.`,
    );
  if (new Set(legs.map(({ seriesId }) => seriesId)).size < legs.length)
    throw new RangeError('Another leg is that contract already.');
  const odd = legs.find(({ ratio }) => !Number.isInteger(ratio) || ratio < 1 || ratio > LEG_RATIO_MAX);
  if (odd !== undefined) throw new RangeError(`A ratio is 1 to ${LEG_RATIO_MAX}, not ${odd.ratio}.`);
  return [...legs];
}

function opposite(leg: SpreadLeg): SpreadLeg {
  return { ...leg, side: leg.side === 'buy' ? 'sell' : 'buy' };
}
