/**
 * Judges a write whose answer was lost by what the venue shows of it (CID-1). That its nonce is spent proves nothing:
 * another program that signs with the same key may have spent it.
 */

import type {
  Account,
  ActionWire,
  MarginReport,
  OrderRecord,
  QuoteSet,
  QuoteSets,
  WithdrawalList,
} from '@venue/protocol';
import type { OrderRef } from './actions.ts';

/**
 * - `done`: the venue is as the write leaves it.
 * - `undone`: it is as it would be without the write, so that sending it once more does it once.
 * - `unclear`: the write and something after it may have led there, or nothing at all.
 */
export type Trace = 'done' | 'undone' | 'unclear';

/** Reads of the account that show at least what came before the write is judged. */
export interface Shown {
  order(ref: OrderRef): Promise<OrderRecord | null>;
  /** True if the account has an order with one of these client ids that is not older. */
  knowsAny(clientIds: readonly string[], sentAtMs: number): Promise<boolean>;
  account(): Promise<Account>;
  set(number: number): Promise<QuoteSet | undefined>;
  read<T>(path: string): Promise<T>;
  /** The time by the client's clock. */
  now(): number;
  /** The earliest time by the venue's clock that a time of the client's can have been. */
  venueTimeOf(ms: number): Promise<number>;
}

type ActionOf<K extends ActionWire['type']> = ActionWire & { readonly type: K };

/** The trace of an action that may have been carried out at this time of the client's clock or later. */
export async function traceOf(action: ActionWire, venue: Shown, sentAtMs: number): Promise<Trace> {
  switch (action.type) {
    case 'place':
    case 'combo':
      return (await venue.knowsAny([action.clientId!], sentAtMs)) ? 'done' : 'undone';
    case 'amend':
      return traceOfAmend(action, await venue.order(refOf(action)));
    case 'cancel':
      return traceOfCancel(await venue.order(refOf(action)));
    case 'cancel-all':
      return traceOfCancelAll(action, venue, sentAtMs);
    case 'guard':
      return traceOfGuard(action, venue, sentAtMs);
    case 'protect':
    case 'unfreeze':
      return traceOfSet(action, await venue.set(action.set));
    case 'margin-mode':
      return (await venue.read<MarginReport>('/v1/margin')).marginMode === action.mode ? 'done' : 'undone';
  }
}

/** The order that an action names. */
export function refOf({
  orderId,
  clientId,
}: {
  readonly orderId?: number;
  readonly clientId?: string;
}): OrderRef {
  return orderId === undefined ? { clientId: clientId! } : { orderId };
}

/** The trace of a switch of margin (ACC-3). */
export async function traceOfMargin({ enabled }: { readonly enabled: boolean }, venue: Shown) {
  return (await venue.account()).marginEnabled === enabled ? 'done' : 'undone';
}

/** The trace of a withdrawal: one of that amount was requested since, or none was (PAY-1). */
export async function traceOfWithdrawal(
  { amountUsd }: { readonly amountUsd: number },
  venue: Shown,
  sentAtMs: number,
): Promise<Trace> {
  const sinceMs = await venue.venueTimeOf(sentAtMs);
  const { withdrawals } = await venue.read<WithdrawalList>('/v1/withdrawals');
  const isMeant = (row: (typeof withdrawals)[number]) =>
    row.amountUsd === amountUsd && row.requestedAt >= sinceMs;
  return withdrawals.some(isMeant) ? 'done' : 'undone';
}

function traceOfCancel(order: OrderRecord | null): Trace {
  if (order === null) return 'unclear';
  return order.status === 'open' ? 'undone' : 'done';
}

function traceOfAmend({ qty, price }: ActionOf<'amend'>, order: OrderRecord | null): Trace {
  if (order === null) return 'unclear';
  if (isAmended({ qty, price }, order)) return 'done';
  return order.status === 'open' ? 'undone' : 'unclear';
}

/** True if an order is as an amend leaves it. A total at or below what is filled cancels. */
export function isAmended(
  { qty, price }: { readonly qty?: number | undefined; readonly price?: number | undefined },
  order: OrderRecord,
): boolean {
  const isSame =
    (price === undefined || price === priceOf(order)) && (qty === undefined || qty === order.qty);
  return isSame || (order.status !== 'open' && qty !== undefined && qty <= order.filledQty);
}

/** A combo never rests, so no amend ever reaches one. */
function priceOf(order: OrderRecord): number | null {
  return 'legs' in order ? null : order.price;
}

/** An order from before the cancel that still rests was not cancelled; one from after it says nothing. */
async function traceOfCancelAll(
  scope: ActionOf<'cancel-all'>,
  venue: Shown,
  sentAtMs: number,
): Promise<Trace> {
  const { openOrders, openOrderCount } = await venue.account();
  const resting = openOrders.filter((order) => isInScope(scope, order));
  if (resting.length > 0) {
    const sinceMs = await venue.venueTimeOf(sentAtMs);
    return resting.some(({ ts }) => ts < sinceMs) ? 'undone' : 'unclear';
  }
  // The account names the newest only.
  if (openOrderCount > openOrders.length) return 'unclear';
  const { sets } = await venue.read<QuoteSets>('/v1/quote-sets');
  const isQuoted = sets.some(({ quotes, symbol }) => quotes > 0 && isOfSymbols(scope.symbols, symbol));
  return isQuoted ? 'unclear' : 'done';
}

function isInScope(
  { symbols, seriesIds, side }: ActionOf<'cancel-all'>,
  order: Account['openOrders'][number],
): boolean {
  return (
    isOfSymbols(symbols, order.symbol) &&
    (seriesIds?.includes(order.seriesId) ?? true) &&
    (side === undefined || side === order.side)
  );
}

function isOfSymbols(symbols: readonly string[] | undefined, symbol: string): boolean {
  return symbols?.some((one) => one.toUpperCase() === symbol) ?? true;
}

/** A guard that was set after it was sent is due its length later than that, or more. */
async function traceOfGuard({ ms }: ActionOf<'guard'>, venue: Shown, sentAtMs: number): Promise<Trace> {
  const { guardAt = null } = await venue.account();
  if (ms === 0) return guardAt === null ? 'done' : 'undone';
  const dueMs = (await venue.venueTimeOf(sentAtMs)) + ms;
  if (guardAt !== null) return guardAt >= dueMs ? 'done' : 'undone';
  // By now it may have been due.
  return venue.now() < sentAtMs + ms ? 'undone' : 'unclear';
}

function traceOfSet(action: ActionOf<'protect' | 'unfreeze'>, set: QuoteSet | undefined): Trace {
  const isEnd = action.type === 'protect' && action.qty === 0;
  if (set === undefined || isEnd) return (set === undefined) === isEnd ? 'done' : 'undone';
  if (action.type === 'protect' && !hasTerms(set, action)) return 'undone';
  // Its new allowance may be used up already, and a repetition would give it another.
  return set.frozen || (action.type === 'protect' && set.used > 0) ? 'unclear' : 'done';
}

function hasTerms(set: QuoteSet, { symbol, windowMs, qty, delta, frozenMs }: ActionOf<'protect'>): boolean {
  return (
    set.symbol === symbol.toUpperCase() &&
    set.windowMs === windowMs &&
    set.qty === qty &&
    set.delta === (delta ?? null) &&
    set.frozenMs === frozenMs
  );
}
