/** Looks up what a batch did whose answer was lost. */

import type {
  Account,
  ActionWire,
  FillList,
  FillRecord,
  MarginReport,
  OrderRecord,
  QuoteSet,
  QuoteSets,
  VenueCode,
} from '@venue/protocol';
import {
  type ActionResult,
  type ComboResult,
  LOST,
  type ModeResult,
  type OrderRef,
  type OrderTaken,
  type PlaceResult,
  type SetResult,
} from './actions.ts';
import type { Credentials } from './credentials.ts';
import { isRefusedAs, UnavailableError } from './errors.ts';
import { checked, jsonOf, type Transport } from './transport.ts';

export interface LookupParts {
  readonly transport: Transport;
  readonly credentials: Credentials;
  /** Gets a new token after the venue has forgotten the old one. */
  readonly renew: () => Promise<void>;
}

/** A batch that was carried out. */
export interface CarriedOut {
  readonly wire: readonly ActionWire[];
  /** A log entry that is not older than the batch, or null if the venue did not say. */
  readonly seq: number | null;
  /** Of a repetition, if there was one: it answers `duplicate` for what the first one placed. */
  readonly answered: readonly ActionResult[] | null;
  /** When the batch was first sent. An order from long before only has the same id. */
  readonly sentAtMs: number;
}

/** Largest difference between two clocks for one of them to sign for the other (SIG-5). */
const WINDOW_MS = 60_000;

/** Reads of orders that show at least a given log entry: a node that is behind is asked again. */
export class Lookup {
  readonly #parts: LookupParts;
  /** The log entry from which on reads count. */
  readonly #seq: number | null;

  constructor(parts: LookupParts, seq: number | null) {
    this.#parts = parts;
    this.#seq = seq;
  }

  /** The order, or null if the account never had it. Throws if the venue cannot tell now. */
  async order(ref: OrderRef): Promise<OrderRecord | null> {
    const path =
      ref.clientId === undefined ? `/v1/orders/${ref.orderId}` : `/v1/orders/client/${ref.clientId}`;
    return this.#read(path, 'unknown-order');
  }

  /** Whether the account has an order with one of these client ids. */
  async knowsAny(clientIds: readonly string[]): Promise<boolean> {
    for (const clientId of clientIds) if ((await this.order({ clientId })) !== null) return true;
    return false;
  }

  /** The result of every action, as far as its order shows it. */
  async results(batch: CarriedOut): Promise<ActionResult[]> {
    const results: ActionResult[] = [];
    let fills: readonly FillRecord[] | null = null;
    const fillsOf = async (id: number) => {
      fills ??= (await this.#read<FillList>('/v1/fills'))!.fills;
      return fills
        .flatMap(({ orderId, seriesId, side, price, qty }) =>
          orderId === id ? [{ seriesId, side, price, qty }] : [],
        )
        .reverse();
    };
    for (const [i, action] of batch.wire.entries()) {
      results.push(await this.#result(action, batch.answered?.[i] ?? null, { batch, fillsOf }));
    }
    return results;
  }

  async account(): Promise<Account> {
    return (await this.#read<Account>('/v1/me'))!;
  }

  async #result(action: ActionWire, answered: ActionResult | null, context: Context): Promise<ActionResult> {
    switch (action.type) {
      case 'place':
        if (answered?.type === 'place' && answered.status !== 'duplicate') return answered;
        return this.#placed(action.clientId!, context);
      case 'combo':
        if (answered?.type === 'combo' && answered.status !== 'duplicate') return answered;
        return this.#combo(action.clientId!, context);
      case 'amend':
        if (answered?.type === 'amend' && answered.status !== 'rejected') return answered;
        return this.#amended(action, context);
      case 'cancel': {
        if (answered?.type === 'cancel' && answered.ok) return answered;
        const order = await this.order(refOf(action));
        return { type: 'cancel', ok: order?.cause === 'user', orderId: order?.id ?? action.orderId ?? 0 };
      }
      case 'cancel-all':
        return { type: 'cancel-all', ok: true, pulled: null };
      case 'guard':
        return { type: 'guard', ok: true };
      case 'protect':
      case 'unfreeze':
        if (answered?.type === action.type && answered.ok) return answered;
        return this.#ofSet(action);
      case 'margin-mode':
        if (answered?.type === 'margin-mode' && answered.ok) return answered;
        return this.#ofMode(action);
    }
  }

  /** True if the mode is now as the action leaves it. */
  async #ofMode({ mode }: ActionWire & { type: 'margin-mode' }): Promise<ModeResult> {
    const { marginMode } = (await this.#read<MarginReport>('/v1/margin'))!;
    const ok = marginMode === mode;
    return { type: 'margin-mode', ok, ...(!ok && LOST) };
  }

  /** Whether the set is now as the action leaves it. */
  async #ofSet(action: ActionWire & { type: 'protect' | 'unfreeze' }): Promise<SetResult> {
    const { sets } = (await this.#read<QuoteSets>('/v1/quote-sets'))!;
    const set = sets.find(({ set: number }) => number === action.set);
    const ok = action.type === 'unfreeze' ? set?.frozen === false : isProtected(set, action);
    // A set whose new allowance is used up already looks as if it had been declined, which is the safer mistake.
    return { type: action.type, ok, ...(!ok && LOST) };
  }

  async #placed(clientId: string, { batch, fillsOf }: Context): Promise<PlaceResult> {
    const order = await this.order({ clientId });
    // The log has the batch and no such order: it was declined, for a reason that only the lost answer told.
    if (order === null)
      return { type: 'place', status: 'rejected', orderId: 0, clientId, fills: [], ...LOST };
    const result = { type: 'place', ...stateOf(order), fills: await fillsIf(order, fillsOf) } as const;
    return order.ts < batch.sentAtMs - WINDOW_MS ? { ...result, status: 'duplicate' } : result;
  }

  async #combo(clientId: string, { batch, fillsOf }: Context): Promise<ComboResult> {
    const order = await this.order({ clientId });
    if (order === null)
      return { type: 'combo', status: 'rejected', orderId: 0, clientId, fills: [], ...LOST };
    const { id: orderId, filledQty } = order;
    const fills = filledQty > 0 ? await fillsOf(orderId) : [];
    const isOld = order.ts < batch.sentAtMs - WINDOW_MS;
    const status = isOld
      ? 'duplicate'
      : order.status === 'filled'
        ? 'filled'
        : filledQty > 0
          ? 'partial'
          : 'cancelled';
    return { type: 'combo', status, orderId, clientId, fills, restedQty: 0 };
  }

  async #amended(action: ActionWire & { type: 'amend' }, { fillsOf }: Context): Promise<PlaceResult> {
    const order = await this.order(refOf(action));
    const { qty, price } = action;
    const isSame =
      (price === undefined || price === priceOf(order)) && (qty === undefined || qty === order?.qty);
    // A total at or below what is filled cancels.
    const isReached =
      order !== null && order.status !== 'open' && qty !== undefined && qty <= order.filledQty;
    if (order === null || !(isSame || isReached))
      return { type: 'amend', status: 'rejected', orderId: 0, fills: [], ...LOST };
    return { type: 'amend', ...stateOf(order), fills: await fillsIf(order, fillsOf) };
  }

  /** Null for the 404 that is given, which says that there is no such thing. */
  async #read<T>(path: string, none: VenueCode | null = null): Promise<T | null> {
    const { transport, credentials, renew } = this.#parts;
    const ask = () => transport.toNodes().send(path, {}, { headers: credentials.headers() });
    let raw = await ask();
    if (raw.status === 401) {
      await renew();
      raw = await ask();
    }
    if (this.#seq !== null && raw.seq !== null && raw.seq < this.#seq)
      throw new UnavailableError(
        503,
        `the node that answered is at entry ${raw.seq}, before ${this.#seq}`,
        'sdk:outdated-node',
      );
    try {
      return jsonOf(checked(raw)) as T;
    } catch (error) {
      if (none !== null && isRefusedAs(error, none)) return null;
      throw error;
    }
  }
}

interface Context {
  readonly batch: CarriedOut;
  /** Oldest first. */
  readonly fillsOf: (orderId: number) => Promise<ComboResult['fills']>;
}

function refOf({ orderId, clientId }: { readonly orderId?: number; readonly clientId?: string }): OrderRef {
  return orderId === undefined ? { clientId: clientId! } : { orderId };
}

function isProtected(set: QuoteSet | undefined, action: ActionWire & { type: 'protect' }): boolean {
  if (set === undefined || action.qty === 0) return set === undefined && action.qty === 0;
  const { symbol, windowMs, qty, delta = null, frozenMs } = action;
  return (
    set.symbol === symbol.toUpperCase() &&
    set.windowMs === windowMs &&
    set.qty === qty &&
    set.delta === delta &&
    set.frozenMs === frozenMs
  );
}

/** A combo never rests, so no amend ever reaches one. */
function priceOf(order: OrderRecord | null): number | null {
  return order === null || 'legs' in order ? null : order.price;
}

/** What has become of an order, in the words of an answer. */
function stateOf(order: OrderRecord): Pick<OrderTaken, 'status' | 'orderId' | 'clientId' | 'restedQty'> {
  const { id: orderId, clientId, remaining: restedQty } = order;
  return { status: statusOf(order), orderId, ...(clientId !== undefined && { clientId }), restedQty };
}

function statusOf({ status, filledQty }: OrderRecord): OrderTaken['status'] {
  if (status === 'filled') return 'filled';
  if (filledQty > 0) return 'partial';
  return status === 'open' ? 'rested' : 'cancelled';
}

async function fillsIf({ id, filledQty }: OrderRecord, fillsOf: Context['fillsOf']) {
  const fills = filledQty > 0 ? await fillsOf(id) : [];
  return fills.map(({ price, qty }) => ({ price, qty }));
}
