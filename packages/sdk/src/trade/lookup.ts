/** Looks up what a batch did whose answer was lost. */

import type {
  Account,
  ActionWire,
  FillList,
  FillRecord,
  OrderRecord,
  QuoteSet,
  QuoteSets,
  Venue,
  VenueCode,
} from '@venue/protocol';
import { isRefusedAs, UnavailableError } from '../net/errors.ts';
import { checked, jsonOf, type Transport } from '../net/transport.ts';
import type { Credentials } from '../sign/credentials.ts';
import {
  type ActionResult,
  type ComboResult,
  LOST,
  type OrderRef,
  type OrderTaken,
  type PlaceResult,
} from './actions.ts';
import { isAmended, refOf, traceOf } from './traces.ts';

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
  /** The answer to a repetition, if there was one: `duplicate` for what the first one placed. */
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
    return this.#readOr(path, 'unknown-order');
  }

  /**
   * True if the account has an order with one of these client ids that was sent at this time or later. One from before
   * only has the same id.
   */
  async knowsAny(clientIds: readonly string[], sentAtMs: number): Promise<boolean> {
    for (const clientId of clientIds) {
      const order = await this.order({ clientId });
      if (order !== null && !isOlder(order, sentAtMs)) return true;
    }
    return false;
  }

  /** The quote set of that number, if there is one. */
  async set(number: number): Promise<QuoteSet | undefined> {
    const { sets } = await this.read<QuoteSets>('/v1/quote-sets');
    return sets.find(({ set }) => set === number);
  }

  /** The time by the clock that the client signs by. */
  now(): number {
    return this.#parts.credentials.now();
  }

  /** The earliest time by the venue's clock that a time of the client's can have been. */
  async venueTimeOf(ms: number): Promise<number> {
    const { time } = await this.read<Venue>('/v1/venue');
    return ms + time - this.now();
  }

  /** The result of every action, as far as its order shows it. */
  async results(batch: CarriedOut): Promise<ActionResult[]> {
    const results: ActionResult[] = [];
    let fills: readonly FillRecord[] | null = null;
    const fillsOf = async (id: number) => {
      fills ??= (await this.read<FillList>('/v1/fills')).fills;
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
    return this.read('/v1/me');
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
        if (answered?.type === 'cancel-all' && answered.ok) return answered;
        return { type: 'cancel-all', ok: true, pulled: null };
      case 'guard':
        return { type: 'guard', ok: true };
      default:
        if (answered?.type === action.type && answered.ok) return answered;
        return { type: action.type, ...(await this.#isDone(action, context)) };
    }
  }

  /**
   * `ok` if the set or the mode is now as the action leaves it. A set whose new allowance is used up already looks as if
   * it had been declined, which is the safer mistake.
   */
  async #isDone(
    action: ActionWire,
    { batch }: Context,
  ): Promise<{ ok: boolean; reason?: typeof LOST.reason }> {
    const ok = (await traceOf(action, this, batch.sentAtMs)) === 'done';
    return { ok, ...(!ok && LOST) };
  }

  async #placed(clientId: string, { batch, fillsOf }: Context): Promise<PlaceResult> {
    const order = await this.order({ clientId });
    // The log has the batch and no such order: it was declined, for a reason that only the lost answer told.
    if (order === null)
      return { type: 'place', status: 'rejected', orderId: 0, clientId, fills: [], ...LOST };
    const result = { type: 'place', ...stateOf(order), fills: await fillsIf(order, fillsOf) } as const;
    return isOlder(order, batch.sentAtMs) ? { ...result, status: 'duplicate' } : result;
  }

  async #combo(clientId: string, { batch, fillsOf }: Context): Promise<ComboResult> {
    const order = await this.order({ clientId });
    if (order === null)
      return { type: 'combo', status: 'rejected', orderId: 0, clientId, fills: [], ...LOST };
    const { id: orderId, filledQty } = order;
    const fills = filledQty > 0 ? await fillsOf(orderId) : [];
    const status = isOlder(order, batch.sentAtMs)
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
    if (order === null || !isAmended(action, order))
      return { type: 'amend', status: 'rejected', orderId: 0, fills: [], ...LOST };
    return { type: 'amend', ...stateOf(order), fills: await fillsIf(order, fillsOf) };
  }

  /** The answer to a read of the account. Throws if the venue cannot tell now. */
  async read<T>(path: string): Promise<T> {
    return (await this.#readOr<T>(path, null))!;
  }

  /** Null for the 404 that is given, which says that there is no such thing. */
  async #readOr<T>(path: string, none: VenueCode | null): Promise<T | null> {
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

/** True if an order is from before what was sent at this time of the client's, whose clock may differ. */
function isOlder(order: OrderRecord, sentAtMs: number): boolean {
  return order.ts < sentAtMs - WINDOW_MS;
}

/** The present state of an order, in the words of an answer. */
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
