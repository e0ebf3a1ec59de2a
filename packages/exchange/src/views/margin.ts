/** Shows where an account's money is locked, line by line, and what an order would change (OWN-36). */

import {
  type Account,
  type AccountAmounts,
  amountsOf,
  type ComboPreview,
  costMicros,
  marginGroups,
  marginMicros,
  marginTerms,
  markParts,
  type OrderHandle,
  type OrderPreview,
  type Position,
  type PreviewedOrder,
  type State,
  seriesOf,
  shortExposureMicros,
  sideOf,
} from '@venue/engine';
import {
  BATCH_REJECT,
  type ComboPreviewAnswer,
  type MarginGroup,
  type MarginLine,
  type MarginMarks,
  type MarginOrder,
  type MarginReport,
  type MarginSeries,
  type Micros,
  microsToDecimal,
  type OrderPreviewAnswer,
  toMicros,
} from '@venue/protocol';
import { ENTRY_MARGIN, MAINTENANCE_MARGIN, type MarginRates } from '@venue/protocol/margin';
import { handlesOf, OPEN_ORDERS_MAX } from './account.ts';
import { legFillView, reasonView } from './batch.ts';

/** The lines that sum to `locked` and `maintenanceMargin`; those of orders are of the orders given. */
export function marginReport(
  state: State,
  account: Account,
  resting: readonly OrderHandle[] = handlesOf(state, account),
): MarginReport {
  const exposed = [...account.positions].filter((position) => shortExposureMicros(position) > 0);
  return {
    marginEnabled: account.marginEnabled,
    marginMode: account.marginMode,
    premiumTerm: state.parameters!.marginPremium,
    ...amountsView(amountsOf(state, account)),
    reserved: microsToDecimal(account.reservedMicros),
    series: exposed.map((position) => seriesLine(state, position)),
    riskMark: state.parameters!.riskMark,
    marks: [...account.positions].filter(isMarked).map((position) => marksLine(state, position)),
    orders: orderLines(state, account, resting),
    ...(account.marginMode === 'defined-risk' && { groups: marginGroups(state, account).map(groupLine) }),
  };
}

function groupLine(group: ReturnType<typeof marginGroups>[number]): MarginGroup {
  const { instrument, expiryTs, rule, requirementMicros, maintenanceMicros, pairs, loss, uncovered } = group;
  return {
    ...{ symbol: instrument.symbol, expiryTs, rule },
    requirement: microsToDecimal(requirementMicros),
    maintenance: microsToDecimal(maintenanceMicros),
    covers: pairs.map(({ short, long, qtyMicros, eachMicros }) => ({
      short: short.seriesId,
      long: long.seriesId,
      qty: microsToDecimal(qtyMicros),
      each: microsToDecimal(eachMicros),
    })),
    loss: { amount: microsToDecimal(loss.amountMicros), at: microsToDecimal(loss.atMicros) },
    uncovered: uncovered.map(({ series, qtyMicros, unitMicros }) => ({
      seriesId: series.seriesId,
      qty: microsToDecimal(qtyMicros),
      unit: microsToDecimal(unitMicros),
    })),
  };
}

/** A reduce-only order tells the quantity it would be cut to (TIF-3). */
export function previewView(
  order: PreviewedOrder,
  { outcome, valueMicros, feeMicros, before, after }: OrderPreview,
): OrderPreviewAnswer {
  return {
    ...outcomeView(order, outcome),
    cost: microsToDecimal(valueMicros),
    fee: microsToDecimal(feeMicros),
    before: amountsView(before),
    after: amountsView(after),
  };
}

export function comboPreviewView({
  outcome,
  costMicros,
  feeMicros,
  before,
  after,
}: ComboPreview): ComboPreviewAnswer {
  const { status } = outcome;
  const became =
    status === 'rejected'
      ? { status, ...reasonView(outcome.reason), fills: [], filledQty: 0 }
      : { status, fills: outcome.trades.map(legFillView), filledQty: microsToDecimal(outcome.filledMicros) };
  return {
    ...became,
    cost: microsToDecimal(costMicros),
    fee: microsToDecimal(feeMicros),
    before: amountsView(before),
    after: amountsView(after),
  };
}

function outcomeView(order: PreviewedOrder, outcome: OrderPreview['outcome']) {
  if (outcome.status === 'rejected')
    return { status: outcome.status, ...reasonView(outcome.reason), fills: [], restedQty: 0 };
  const { status, trades, restedMicros, qtyMicros, isPrevented } = outcome;
  const fills = trades.map((one) => ({
    price: microsToDecimal(one.priceMicros),
    qty: microsToDecimal(one.qtyMicros),
  }));
  return {
    status,
    ...(isPrevented && reasonView(BATCH_REJECT.selfTradePrevented)),
    fills,
    restedQty: microsToDecimal(restedMicros),
    ...(order.terms?.flag === 'reduce-only' && { qty: microsToDecimal(qtyMicros) }),
  };
}

function amountsView(amounts: AccountAmounts) {
  return {
    cash: microsToDecimal(amounts.cashMicros),
    equity: microsToDecimal(amounts.equityMicros),
    locked: microsToDecimal(amounts.lockedMicros),
    buyingPower: microsToDecimal(amounts.buyingPowerMicros),
    maintenanceMargin: microsToDecimal(amounts.maintenanceMarginMicros),
    marginCall: amounts.equityMicros < amounts.maintenanceMarginMicros,
  };
}

function seriesLine(state: State, position: Position): MarginSeries {
  const { series, qtyMicros, restingSellMicros } = position;
  const { spotMicros, markMicros, premiumMicros } = marginTerms(state, series, ENTRY_MARGIN);
  return {
    seriesId: series.seriesId,
    qty: microsToDecimal(qtyMicros),
    restingSell: microsToDecimal(restingSellMicros),
    spot: microsToDecimal(spotMicros),
    mark: microsToDecimal(markMicros),
    premium: microsToDecimal(premiumMicros),
    entry: marginLine(state, position, ENTRY_MARGIN, shortExposureMicros(position)),
    maintenance: marginLine(state, position, MAINTENANCE_MARGIN, toMicros(Math.max(0, -qtyMicros))),
  };
}

/** A flat position without sells has no part in any amount. */
function isMarked(position: Position): boolean {
  return position.qtyMicros !== 0 || shortExposureMicros(position) > 0;
}

function marksLine(state: State, { series }: Position): MarginMarks {
  const { iv, modelMicros, bidMicros, askMicros, bookMicros, riskMicros } = markParts(state, series);
  return {
    seriesId: series.seriesId,
    iv,
    model: orNull(modelMicros),
    bid: orNull(bidMicros),
    ask: orNull(askMicros),
    book: orNull(bookMicros),
    risk: microsToDecimal(riskMicros),
  };
}

function orNull(micros: Micros | null): number | null {
  return micros === null ? null : microsToDecimal(micros);
}

function marginLine(state: State, { series }: Position, rates: MarginRates, qtyMicros: Micros): MarginLine {
  const { shockMicros, floorMicros, unitMicros } = marginTerms(state, series, rates);
  return {
    shock: microsToDecimal(shockMicros),
    floor: microsToDecimal(floorMicros),
    unit: microsToDecimal(unitMicros),
    qty: microsToDecimal(qtyMicros),
    amount: microsToDecimal(marginMicros(unitMicros, qtyMicros)),
  };
}

/** A long position covers the oldest resting sells first; the rest of them opens. */
function orderLines(state: State, account: Account, resting: readonly OrderHandle[]): MarginOrder[] {
  const longLeft = new Map<number, number>();
  const lines = resting.map((h) => {
    const { orders } = state;
    const series = seriesOf(state, h);
    const side = sideOf(state, h);
    const remaining = orders.remaining(h);
    let opening = 0;
    if (side === 'sell') {
      const long = longLeft.get(series.sid) ?? Math.max(0, account.positions.get(series.sid)?.qtyMicros ?? 0);
      opening = Math.max(0, remaining - long);
      longLeft.set(series.sid, Math.max(0, long - remaining));
    }
    return {
      id: orders.id(h),
      seriesId: series.seriesId,
      side,
      price: microsToDecimal(orders.price(h)),
      remaining: microsToDecimal(remaining),
      reserve: side === 'buy' ? microsToDecimal(costMicros(orders.price(h), remaining)) : 0,
      openingQty: microsToDecimal(toMicros(opening)),
    };
  });
  return lines.slice(-OPEN_ORDERS_MAX);
}
