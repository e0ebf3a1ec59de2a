/** Margin and buying power of the model, recomputed from scratch on every call. */

import { maintenances, requirements } from './defined-risk.ts';
import { mark } from './marks.ts';
import { ceilDiv, clamp, floorDiv, MILLION, positive, sum } from './numbers.ts';
import type { ModelAccount, ModelSeries } from './records.ts';
import { MAKER, type ModelState, ordersOf, positionIn } from './state.ts';
import { restingQty, seriesOf, unit } from './units.ts';

export function cost(price: bigint, qty: bigint): bigint {
  return ceilDiv(price * qty, MILLION);
}

/** Value of the position at its mark, rounded down. */
export function markValue(state: ModelState, account: ModelAccount, series: ModelSeries): bigint {
  const { qty } = positionIn(account, series.sid);
  return qty === 0n ? 0n : floorDiv(qty * mark(state, series), MILLION);
}

export function equity(state: ModelState, account: ModelAccount): bigint {
  return clamp(
    account.cash + sum(seriesOf(state, account).map((series) => markValue(state, account, series))),
  );
}

/** Short quantity, including every resting sell not covered by a long. */
export function shortExposure(state: ModelState, account: ModelAccount, series: ModelSeries): bigint {
  return positive(restingQty(state, account, series, 'sell') - positionIn(account, series.sid).qty);
}

/** The cost of the account's resting buys, each rounded up, and what its sets reserve (QTS-4). */
export function reserved(state: ModelState, account: ModelAccount): bigint {
  if (account.role !== 'trader') return 0n;
  const buys = ordersOf(state, account.index).filter(({ side }) => side === 'buy');
  const ofSets = state.sets.filter(({ owner }) => owner === account.index).map(({ reserve }) => reserve);
  return sum([...buys.map((order) => cost(order.price, order.remaining)), ...ofSets]);
}

/** Entry margin of shorts, plus reserves (MAR-3). */
export function locked(state: ModelState, account: ModelAccount): bigint {
  if (account.marginMode === 'defined-risk')
    return clamp(requirements(state, account) + reserved(state, account));
  const margins = seriesOf(state, account).map((series) => {
    const short = shortExposure(state, account, series);
    return short === 0n ? 0n : ceilDiv(unit(state, series, 'entry') * short, MILLION);
  });
  return clamp(sum(margins) + reserved(state, account));
}

export function buyingPower(state: ModelState, account: ModelAccount): bigint {
  return clamp(account.cash - locked(state, account));
}

export function maintenance(state: ModelState, account: ModelAccount): bigint {
  if (account.marginMode === 'defined-risk') return clamp(maintenances(state, account));
  const margins = seriesOf(state, account).map((series) => {
    const short = positive(-positionIn(account, series.sid).qty);
    return short === 0n ? 0n : ceilDiv(unit(state, series, 'maintenance') * short, MILLION);
  });
  return clamp(sum(margins));
}

export function inMarginCall(state: ModelState, account: ModelAccount): boolean {
  return equity(state, account) < maintenance(state, account);
}

export function openInterest(state: ModelState, sid: number): bigint {
  return sum(state.accounts.map((account) => positive(positionIn(account, sid).qty)));
}

/** A position's exposure against the maker's line at a mark: margin of a short, cost of a long. */
export function exposure(state: ModelState, series: ModelSeries, qty: bigint, at: bigint): bigint {
  return clamp(qty < 0n ? cost(unit(state, series, 'entry', at), -qty) : cost(at, qty));
}

/** The maker's exposure over all its positions. */
export function makerExposure(state: ModelState): bigint {
  const maker = state.accounts[MAKER]!;
  return clamp(
    sum(
      state.series.map((series) =>
        exposure(state, series, positionIn(maker, series.sid).qty, mark(state, series)),
      ),
    ),
  );
}
