/** The kinds of traders in a crowd, and what each opens. */

import { type PlaceAction, takes, waits } from './orders.ts';
import type { Random } from './random.ts';
import { type Leg, legsOf, lots, type View } from './view.ts';

export const STYLES = ['calls', 'overwriter', 'puts', 'spreads', 'momentum'] as const;
export type Style = (typeof STYLES)[number];

/** Premium of one trade, as a share of the equity: small, so that a bad day ruins nobody. */
const PREMIUM_SHARE = 0.006;
/** Margin of one short, likewise. */
const MARGIN_SHARE = 0.08;
/** Entry margin of a short, roughly, as a share of the spot (MAR-1). */
const SHOCK = 0.25;
/** Share of the buying power that one trade may use. */
const CASH_SHARE = 0.2;
/** Share of openings that wait inside the spread. */
const PATIENT_SHARE = 0.35;
/** A move of the spot, as a share of its price, that the momentum crowd runs after. */
export const MOMENTUM_MOVE = 0.0008;

/** The orders with which a trader of a style opens something; none if nothing suits it. */
export function openingOf(style: Style, view: View, random: Random): PlaceAction[] {
  switch (style) {
    case 'calls':
      return buys(view, random, { right: 'C', delta: random.between(0.2, 0.5) });
    case 'puts':
      return buys(view, random, { right: 'P', delta: random.between(0.15, 0.45) });
    case 'overwriter':
      return overwrites(view, random);
    case 'spreads':
      return buysSpread(view, random);
    case 'momentum':
      return follows(view, random);
  }
}

interface Target {
  readonly right: 'C' | 'P';
  /** Absolute. */
  readonly delta: number;
}

function buys(view: View, random: Random, target: Target): PlaceAction[] {
  const leg = legAt(view, target);
  if (leg === undefined) return [];
  const wish = { leg, side: 'buy', qty: sizeOf(leg, view, random) } as const;
  const isPatient = random.chance(PATIENT_SHARE);
  const order = (isPatient ? waits(wish, random, view.nowMs) : null) ?? takes(wish);
  return order === null ? [] : [order];
}

/** Sells a call against each long one of the expiry, or buys the call to write against: there is no underlying to own. */
function overwrites(view: View, random: Random): PlaceAction[] {
  const covered = coverOf(view);
  if (covered === null) return buys(view, random, { right: 'C', delta: 0.7 });
  const leg = legAt(view, { right: 'C', delta: random.between(0.15, 0.35) });
  if (leg === undefined || leg.strike <= covered.strike) return [];
  const most = (view.account.equity * MARGIN_SHARE) / (SHOCK * view.chain.spot);
  const room = (view.account.buyingPower * CASH_SHARE) / (SHOCK * view.chain.spot);
  const qty = lots(Math.min(covered.qty, most, room), view.chain.spot);
  const wish = { leg, side: 'sell', qty } as const;
  const order = (random.chance(PATIENT_SHARE) ? waits(wish, random, view.nowMs) : null) ?? takes(wish);
  return order === null ? [] : [order];
}

/** The long calls of the chain's expiry that no short call is written against yet. */
function coverOf({ account, chain }: View): { readonly strike: number; readonly qty: number } | null {
  const calls = account.positions.filter(
    ({ symbol, expiryTs, optType }) =>
      symbol === chain.symbol && expiryTs === chain.expiryTs && optType === 'call',
  );
  const longs = calls.filter(({ qty }) => qty > 0);
  const qty = calls.reduce((sum, position) => sum + position.qty, 0);
  if (longs.length === 0 || qty <= 0) return null;
  return { strike: Math.min(...longs.map(({ strike }) => strike)), qty };
}

/** Buys a strike and sells one further out, both at once or neither of any use: a vertical. */
function buysSpread(view: View, random: Random): PlaceAction[] {
  const right = random.chance(0.5) ? 'C' : 'P';
  const near = legAt(view, { right, delta: random.between(0.4, 0.55) });
  const far = legAt(view, { right, delta: random.between(0.15, 0.3) });
  if (near === undefined || far === undefined || near.seriesId === far.seriesId || !far.bid) return [];
  const { account, chain } = view;
  const room = (account.buyingPower * CASH_SHARE) / (SHOCK * chain.spot);
  const most = (account.equity * MARGIN_SHARE) / (SHOCK * chain.spot);
  const qty = lots(Math.min(sizeOf(near, view, random), room, most, far.bid.qty), chain.spot);
  const legs = [takes({ leg: near, side: 'buy', qty }), takes({ leg: far, side: 'sell', qty })];
  return legs.every((order) => order !== null) ? legs : [];
}

/** Buys what pays if the spot goes on as it went; nothing while it stands still. */
function follows(view: View, random: Random): PlaceAction[] {
  if (Math.abs(view.move) < MOMENTUM_MOVE) return [];
  const leg = legAt(view, { right: view.move > 0 ? 'C' : 'P', delta: random.between(0.35, 0.55) });
  const order = leg && takes({ leg, side: 'buy', qty: 1.5 * sizeOf(leg, view, random) });
  if (!order) return [];
  return [{ ...order, qty: lots(Number(order.qty), view.chain.spot) }].filter(({ qty }) => qty > 0);
}

/** The offered leg whose delta is nearest. */
function legAt({ chain }: View, { right, delta }: Target): Leg | undefined {
  const offered = legsOf(chain, right).filter(({ ask, delta: own }) => ask !== null && own !== 0);
  const off = (leg: Leg) => Math.abs(Math.abs(leg.delta) - delta);
  const [nearest] = offered.toSorted((a, b) => off(a) - off(b));
  return nearest !== undefined && off(nearest) < 0.15 ? nearest : undefined;
}

/** As many lots as a small share of the equity buys, at least one, and never more than the cash allows. */
function sizeOf({ ask }: Leg, { account, chain }: View, random: Random): number {
  const price = ask!.price;
  const wanted = random.logNormal((account.equity * PREMIUM_SHARE) / price);
  const allowed = Math.min((account.buyingPower * CASH_SHARE) / price, ask!.qty);
  return lots(Math.min(Math.max(wanted, lots(1, chain.spot)), allowed), chain.spot);
}
