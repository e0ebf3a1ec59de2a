/** One digest for one state: what two nodes, or a node and its replay, compare. */

import { sha256 } from '@venue/protocol';
import { BUY, NIL, SELL } from './book.ts';
import type { Account, Series, State } from './state.ts';

/** SHA-256, in hex, over everything that the state holds, in a canonical order. */
export function stateDigest(state: State): string {
  const hash = sha256.create();
  const encoder = new TextEncoder();
  const write = (value: unknown) => hash.update(encoder.encode(`${JSON.stringify(value)}\n`));
  write([state.seq, state.ts, state.parameters, state.lastOrderId, state.lastFillId]);
  write([state.lastMaintenanceTs, state.lastQuoteTs, state.sweepNext, state.fundedMicros]);
  for (const instrument of state.instruments.values()) {
    const { symbol, assetClass, active, spotMicros, rolledFor } = instrument;
    write([symbol, assetClass, active, spotMicros, rolledFor, [...instrument.sources.values()]]);
  }
  for (const series of state.series) write(describeSeries(state, series));
  for (const account of state.accounts) write(describeAccount(account));
  let hex = '';
  for (const byte of hash.digest()) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

function describeSeries(state: State, series: Series): unknown {
  const { seriesId, status, iv, delta, volumeMicros, openInterestMicros, quotes } = series;
  return [
    seriesId,
    status,
    iv,
    delta,
    volumeMicros,
    openInterestMicros,
    liveQuotes(state, quotes.bids),
    liveQuotes(state, quotes.asks),
    ...restingOrders(state, series),
  ];
}

/** Ids that no longer rest are only yet to be forgotten. */
function liveQuotes(state: State, ids: readonly number[]): number[] {
  return ids.filter((id) => state.orders.find(id) !== NIL);
}

function restingOrders(state: State, { book }: Series): unknown[] {
  const { orders } = state;
  const rows: unknown[] = [];
  for (const side of [BUY, SELL] as const) {
    for (let h = book.best(side); h !== NIL; h = book.next(h)) {
      const id = orders.id(h);
      rows.push([
        id,
        side,
        orders.owner(h),
        orders.price(h),
        orders.quantity(h),
        orders.remaining(h),
        orders.placedAt(h),
        state.signers.get(id) ?? null,
      ]);
    }
  }
  return rows;
}

function describeAccount(account: Account): unknown {
  const positions = [...account.positions.values()]
    .sort((a, b) => a.series.sid - b.series.sid)
    .map(({ series, ...amounts }) => [series.sid, amounts]);
  const sessions = [...account.sessions.values()].map(({ nonces, supersededExpiries, ...session }) => [
    session,
    [...supersededExpiries],
    [...nonces],
  ]);
  const fills = account.fills.map(({ series, ...fill }) => [series.sid, fill]);
  const { role, address, cashMicros, realizedMicros, reservedMicros, marginEnabled, frozen, wasCalled } =
    account;
  return [
    role,
    address,
    cashMicros,
    realizedMicros,
    reservedMicros,
    marginEnabled,
    frozen,
    wasCalled,
    positions,
    sessions,
    fills,
  ];
}
