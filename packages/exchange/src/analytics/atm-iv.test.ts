import assert from 'node:assert/strict';
import { it } from 'node:test';
import { apply, NO_EFFECTS, type State } from '@venue/engine';
import type { Micros } from '@venue/protocol';
import { priceOption } from '@venue/protocol/black76';
import { listedState, pushOn } from '../../test/listed.ts';
import { atmIv } from './atm-iv.ts';
import { chainsOf, type Expiry, MINUTES_PER_YEAR } from './chain.ts';

const SPOT = 100_250_000;

/** A venue whose spot is off the strikes, and its second expiry. */
function scene(): { state: State; expiry: Expiry } {
  const state = listedState();
  const price = { symbol: 'X', source: 'a', priceMicros: SPOT as Micros };
  for (const command of [
    { kind: 'prints', prints: [price] } as const,
    { kind: 'maintain', expiries: [] } as const,
  ])
    apply(state, { seq: state.seq + 1, ts: state.ts, command }, NO_EFFECTS);
  return { state, expiry: chainsOf(state, state.instruments.get('X')!)[1]! };
}

/** Quotes call or put at a strike for the price of a volatility. */
function quote(
  { state, expiry }: ReturnType<typeof scene>,
  strike: number,
  right: 'call' | 'put',
  vol: number,
) {
  const { strikeMicros, [right]: series } = expiry.strikes.find((one) => one.strikeMicros === strike * 1e6)!;
  const years = expiry.minutes / MINUTES_PER_YEAR;
  const terms = { right: series!.right, forward: SPOT, strike: strikeMicros, years, vol };
  const price = Math.round(priceOption(terms)) as Micros;
  const size = 1_000_000 as Micros;
  pushOn(state, [
    { sid: series!.sid, bids: [[price, size]], asks: [[(price + 2) as Micros, size]], iv: vol },
  ]);
}

const near = (value: number | null, expected: number) =>
  assert.ok(value !== null && Math.abs(value - expected) < 1e-5, `${value}, not ${expected}`);

it('HIS-4 volatility at the money is on the line between the strikes around the spot', () => {
  const market = scene();
  const { state, expiry } = market;
  const strikes = expiry.strikes.map(({ strikeMicros }) => strikeMicros / 1e6);
  const below = strikes.findLast((strike) => strike <= SPOT / 1e6)!;
  const above = strikes.find((strike) => strike > SPOT / 1e6)!;
  const iv = () => atmIv(state, SPOT, expiry);
  assert.equal(iv(), null);
  // What is further out does not count.
  quote(market, strikes[0]!, 'put', 2);
  assert.equal(iv(), null);
  quote(market, above, 'call', 0.8);
  near(iv(), 0.8);
  quote(market, above, 'put', 0.6);
  near(iv(), 0.7);
  quote(market, below, 'put', 0.4);
  near(iv(), 0.4 + (0.3 * (SPOT / 1e6 - below)) / (above - below));
});
