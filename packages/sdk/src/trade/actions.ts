/** The actions of a batch as programs write them, and the result of each (BAT-1, BAT-3). */

import {
  type ActionWire,
  type Amounts,
  type BatchAction,
  type CancelResult,
  type ComboActionWire,
  type ComboFill,
  type ComboLeg,
  type GuardResult,
  type OrderFill,
  type PlaceActionWire,
  type ReasonCode,
  type RejectReason,
  readActions,
} from '@venue/protocol';
import { checkTime, positiveMicros, wireNumber } from '../net/checks.ts';
import type { Decimal } from '../net/decimal.ts';
import { hexOf } from '../sign/hex.ts';
import { checkLegs } from './combo-legs.ts';

export type { ComboLeg };

/** An order: by default it rests until it is cancelled, or, without a price, takes what there is (TIF-1). */
export interface PlaceTerms extends Readonly<Omit<PlaceActionWire, 'type' | 'qty' | 'price'>> {
  /** Contracts. */
  readonly qty: Decimal;
  /** Limit price in US dollars per contract; a market order leaves it out, and `undefined` throws `TypeError`. */
  readonly price?: Decimal;
  /** When a `gtd` order leaves, in unix milliseconds; a time in another unit throws `RangeError`, which names it. */
  readonly expiresAt?: number;
  /** By default a random one, so that a lost answer can be looked up (CID-1). */
  readonly clientId?: string;
}

/** Two to four series of one underlying at one net price: all of them trade at once, or none (CMB-1). */
export interface ComboTerms {
  /** In the order in which they trade. */
  readonly legs: readonly ComboLeg[];
  /** Units. */
  readonly qty: Decimal;
  /** The most that a unit may cost in US dollars before fees; negative if it must bring in. Without it, whatever it costs. */
  readonly net?: Decimal;
  /** By default `ioc`: as much as there is at that net. */
  readonly tif?: 'ioc' | 'fok';
  /** By default a random one, so that a lost answer can be looked up (CID-1). */
  readonly clientId?: string;
}

/** An order by the venue's id or by its client's. */
export type OrderRef =
  | { readonly orderId: number; readonly clientId?: never }
  | { readonly clientId: string; readonly orderId?: never };

/** Changes to a resting order; the rest of it stays (AMD-1). */
export type AmendTerms = OrderRef & {
  /** The new total, what is filled included. */
  readonly qty?: Decimal;
  readonly price?: Decimal;
  /** Refuses the amend once more than this is filled. */
  readonly filledAtMost?: Decimal;
};

/** Which orders to cancel; without anything, all of them. */
export interface CancelScope {
  readonly symbols?: readonly string[];
  readonly seriesIds?: readonly string[];
  readonly side?: 'buy' | 'sell';
}

export type PlaceAction = { readonly type: 'place' } & PlaceTerms;
export type ComboAction = { readonly type: 'combo' } & ComboTerms;
export type AmendAction = { readonly type: 'amend' } & AmendTerms;
export type CancelAction = { readonly type: 'cancel' } & OrderRef;
export type CancelAllAction = { readonly type: 'cancel-all' } & CancelScope;
/** All orders leave `ms` after it, 5,000 to 600,000, unless a later guard replaces it; 0 removes it (GRD-1). */
export type GuardAction = { readonly type: 'guard'; readonly ms: number };

/** A set's protection: how much may trade before all its quotes leave at once. */
export interface ProtectTerms {
  /** 1 to 16. */
  readonly set: number;
  /** The one underlying that the set quotes. */
  readonly symbol: string;
  /** A push this long or longer after the first fill makes the allowance whole again: 100 to 600,000 ms. */
  readonly windowMs: number;
  /** Contracts. */
  readonly qty: Decimal;
  /** Contracts times absolute delta. */
  readonly delta?: Decimal;
  /** How long the set stays frozen once its allowance is used up; 0 until it is unfrozen. */
  readonly frozenMs: number;
}

/** Protects a quote set, which makes it, and makes its allowance whole; a quantity of 0 ends it (QTS-3). */
export type ProtectAction = { readonly type: 'protect' } & ProtectTerms;
/** Lets a frozen set quote again (QTS-3). */
export type UnfreezeAction = { readonly type: 'unfreeze'; readonly set: number };

/** Margins shorts one by one, or with the longs that cover them (DRM-1). */
export type MarginModeAction = { readonly type: 'margin-mode'; readonly mode: 'per-leg' | 'defined-risk' };

export type Action =
  | PlaceAction
  | ComboAction
  | AmendAction
  | CancelAction
  | CancelAllAction
  | GuardAction
  | ProtectAction
  | UnfreezeAction
  | MarginModeAction;

interface OfOrder {
  readonly type: 'place' | 'amend';
  readonly clientId?: string;
  readonly fills: OrderFill[];
}

/** Fields that programs compare in place of a reason's text, and the amounts that the text names (ERR-1). */
export interface ReasonFields extends Amounts {
  readonly code?: ReasonCode | typeof LOST.code;
}

/** Result of a `place` or `amend` that the venue carried out, or of a client id that it knew already. */
export interface OrderTaken extends OfOrder, ReasonFields {
  readonly status: 'filled' | 'partial' | 'rested' | 'cancelled' | 'duplicate';
  readonly orderId: number;
  /** Size left on the book. */
  readonly restedQty: number;
  /** The quantity that a reduce-only order was cut to. */
  readonly qty?: number;
  /** Why the rest of it was declined. */
  readonly reason?: RejectReason;
}

/** Result of a `place` or `amend` that changed nothing. */
export interface OrderDeclined extends OfOrder, ReasonFields {
  readonly status: 'rejected';
  readonly orderId: 0;
  /** Listed series of the nearest strikes, where that of the order is not listed. */
  readonly nearest?: readonly string[];
  readonly reason: RejectReason | typeof REASON_LOST;
}

export type PlaceResult = OrderTaken | OrderDeclined;

interface OfCombo {
  readonly type: 'combo';
  readonly clientId?: string;
  /** Leg by leg, in the order in which they traded. */
  readonly fills: ComboFill[];
}

/** Result of a `combo` that the venue carried out, or of a client id that it knew already. */
export interface ComboTaken extends OfCombo {
  readonly status: 'filled' | 'partial' | 'cancelled' | 'duplicate';
  readonly orderId: number;
  readonly restedQty: number;
}

/** Result of a `combo` that changed nothing. */
export interface ComboDeclined extends OfCombo, ReasonFields {
  readonly status: 'rejected';
  readonly orderId: 0;
  readonly reason: RejectReason | typeof REASON_LOST;
}

export type ComboResult = ComboTaken | ComboDeclined;

/** The reason of an order that was looked up after a lost answer, and found to have been declined. */
export const REASON_LOST = 'declined; why was in the answer that was lost';

/** The same with its code, as results have it. */
export const LOST = { reason: REASON_LOST, code: 'sdk:reason-lost' } as const;

/** Result of a `cancel-all`. */
export interface CancelAllResult {
  readonly type: 'cancel-all';
  /** False when nothing matched. */
  readonly ok: boolean;
  /** Number of orders cancelled; null if that is not known after a lost answer. */
  readonly pulled: number | null;
}

/** Result of a `protect` or an `unfreeze`; a declined one changed nothing. */
export interface SetResult extends ReasonFields {
  readonly type: 'protect' | 'unfreeze';
  readonly ok: boolean;
  readonly reason?: RejectReason | typeof REASON_LOST;
}

/** Result of a `margin-mode`; a declined one left the mode as it was. */
export interface ModeResult extends ReasonFields {
  readonly type: 'margin-mode';
  readonly ok: boolean;
  readonly reason?: RejectReason | typeof REASON_LOST;
}

interface Results {
  readonly place: PlaceResult;
  readonly combo: ComboResult;
  readonly amend: PlaceResult;
  readonly cancel: CancelResult;
  readonly 'cancel-all': CancelAllResult;
  readonly guard: GuardResult;
  readonly protect: SetResult;
  readonly unfreeze: SetResult;
  readonly 'margin-mode': ModeResult;
}

export type ActionResult = Results[keyof Results];

/** The results of some actions, each of its action's type. */
export type ResultsOf<T extends readonly Action[]> = { -readonly [I in keyof T]: Results[T[I]['type']] };

/** Actions that are ready to be signed. */
export interface PreparedBatch {
  /** As they are posted, with a client id for every order. */
  readonly wire: readonly ActionWire[];
  /** As they are signed. */
  readonly signed: readonly BatchAction[];
  /** Ids of the orders to be placed, in order. */
  readonly clientIds: readonly string[];
  /** True if it only cancels or renews a guard, and must not wait behind orders. */
  readonly isUrgent: boolean;
}

/**
 * Checks the actions. Throws `TypeError` for an amount that is neither a number nor a text, and `RangeError` for
 * anything that the venue would call malformed: in words of its own for amounts and legs, in the venue's for the rest.
 */
export function prepare(actions: readonly Action[]): PreparedBatch {
  if (!Array.isArray(actions)) throw new TypeError('actions must be a list');
  const wire = actions.map(wireAction);
  const signed = readActions(wire);
  if ('error' in signed) throw new RangeError(signed.error);
  const clientIds = wire.flatMap((action) =>
    action.type === 'place' || action.type === 'combo' ? [action.clientId!] : [],
  );
  const isUrgent = signed.every(({ type }) => type !== 'place' && type !== 'combo' && type !== 'amend');
  return { wire, signed, clientIds, isUrgent };
}

/** 128 random bits: the same id never comes twice. */
export function randomClientId(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16))).slice(2);
}

function wireAction(action: Action): ActionWire {
  if (action?.type === 'place')
    return { ...wireOrder(action), type: 'place', clientId: action.clientId ?? randomClientId() };
  if (action?.type === 'combo')
    return { ...wireCombo(action), type: 'combo', clientId: action.clientId ?? randomClientId() };
  if (action?.type === 'protect') return wireProtect(action);
  if (action?.type !== 'amend') return action as ActionWire;
  const { qty, price, filledAtMost, ...rest } = action;
  return {
    ...rest,
    ...(qty !== undefined && { qty: wireNumber('qty', qty) }),
    ...(price !== undefined && { price: wireNumber('price', price) }),
    ...(filledAtMost !== undefined && { filledAtMost: wireNumber('filledAtMost', filledAtMost) }),
  } as ActionWire;
}

/** A limit that came out as undefined, as from a book without asks, must not turn into an order without one. */
function refuseUndefined<F extends string>(field: F, terms: { readonly [K in F]?: Decimal }): void {
  if (field in terms && terms[field] === undefined)
    throw new TypeError(`${field} is undefined: leave it out to trade at the market`);
}

/** Terms of a combo with its amounts as the wire carries them. Throws as `OrderCalls.combo` says. */
function wireCombo(terms: ComboTerms): Omit<ComboActionWire, 'type'> {
  const { legs, qty, net, ...rest } = terms;
  checkLegs(legs);
  positiveMicros('qty', qty);
  refuseUndefined('net', terms);
  return {
    ...rest,
    legs: legs as ComboLeg[],
    qty: wireNumber('qty', qty),
    ...(net !== undefined && { net: wireNumber('net', net) }),
  };
}

function wireProtect({ qty, delta, ...rest }: ProtectAction): ActionWire {
  return {
    ...rest,
    qty: wireNumber('qty', qty),
    ...(delta !== undefined && { delta: wireNumber('delta', delta) }),
  };
}

/** Terms of an order with its amounts as the wire carries them. Throws as `OrderCalls.place` says. */
export function wireOrder<T extends Pick<PlaceTerms, 'seriesId' | 'side' | 'qty' | 'price' | 'expiresAt'>>(
  terms: T,
) {
  const { seriesId, side, qty, price, expiresAt } = terms;
  if (expiresAt !== undefined) checkTime('expiresAt', expiresAt, 'milliseconds');
  if (typeof seriesId !== 'string') throw new TypeError('seriesId must be a text');
  if (side !== 'buy' && side !== 'sell') throw new TypeError(`side must be buy or sell, not ${side}`);
  positiveMicros('qty', qty);
  refuseUndefined('price', terms);
  if (price !== undefined) positiveMicros('price', price);
  return {
    ...terms,
    qty: wireNumber('qty', qty),
    ...(price !== undefined && { price: wireNumber('price', price) }),
  } as T & { readonly qty: number; readonly price?: number };
}
