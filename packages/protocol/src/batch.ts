/** The actions of a batch in micros, and the text that a session key signs for all of them (BAT-1). */

import { accountLine, type EnvelopeFields, integerField, nonceLine, text, textField } from './envelopes.ts';

/** The most actions one signature can carry (BAT-2). */
export const BATCH_ACTIONS_MAX = 64;

/** The most series, and the most underlyings, that all the `cancel-all`s of a batch name together (BAT-7). */
export const BATCH_CANCEL_SERIES_MAX = 64;

/** Characters of a client id at most. */
export const CLIENT_ID_LENGTH_MAX = 36;

/** A client id: a letter or digit, then up to 35 more or `_` or `-` (CID-1). */
export const CLIENT_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,35}$/;

/** A guard's shortest and longest time, ms (GRD-1). */
export const GUARD_MS_MIN = 5_000;
export const GUARD_MS_MAX = 600_000;

/** The legs of a combo, and the contracts of a leg in one unit of it (CMB-1). */
export const COMBO_LEGS_MIN = 2;
export const COMBO_LEGS_MAX = 4;
export const LEG_RATIO_MAX = 10;

/** How long an order may rest: until cancelled, not at all, all or nothing, until a date (TIF-1). */
export type TimeInForce = 'gtc' | 'ioc' | 'fok' | 'gtd';

export type OrderFlag = 'post-only' | 'reduce-only';

/** What happens when an order meets one of its own account (STP-1). */
export type SelfTradePrevention = 'taker' | 'maker' | 'both' | 'none';

/** How long an order rests and what it may do on arrival; defaults are written out. */
export interface OrderTerms {
  readonly tif: TimeInForce;
  /** Milliseconds since the epoch; only with `gtd`. */
  readonly expiresAt?: number;
  readonly flag?: OrderFlag;
  readonly stp: SelfTradePrevention;
  readonly clientId?: string;
}

export interface PlaceAction extends OrderTerms {
  readonly type: 'place';
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  /** 0 is well-formed and rejected as `bad qty`. */
  readonly qtyMicros: number;
  /** Null for a market order; 0 is well-formed and rejected as `bad price`. */
  readonly priceMicros: number | null;
}

/** One series of a combo. */
export interface ComboLeg {
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  /** Contracts in one unit of the combo, 1 to `LEG_RATIO_MAX`. */
  readonly ratio: number;
}

/** Distinct series of one underlying at one net price: all of them in one entry, or none (CMB-1). */
export interface ComboAction {
  readonly type: 'combo';
  /** In the order in which they trade. */
  readonly legs: readonly ComboLeg[];
  /** Units; 0 is well-formed and rejected as `bad qty`. */
  readonly qtyMicros: number;
  /** The most that a unit may cost, before fees and rounding; negative if it must bring in. Null for no limit. */
  readonly netMicros: number | null;
  readonly tif: 'ioc' | 'fok';
  readonly clientId?: string;
}

/** An order by the venue's id or by its client's. */
export type OrderRef = { readonly orderId: number } | { readonly clientId: string };

export interface AmendAction {
  readonly type: 'amend';
  readonly ref: OrderRef;
  /** The new total, what is filled included. */
  readonly qtyMicros?: number;
  readonly priceMicros?: number;
  /** The amend is refused once more than this is filled. */
  readonly filledAtMostMicros?: number;
}

export interface CancelAction {
  readonly type: 'cancel';
  readonly ref: OrderRef;
}

/** Which orders a cancel-all takes; lists are sorted by bytes and without repetition, symbols in upper case. */
export type CancelScope =
  | 'all'
  | { readonly symbols: readonly string[] }
  | { readonly series: readonly string[] };

export interface CancelAllAction {
  readonly type: 'cancel-all';
  readonly scope: CancelScope;
  /** Absent for both sides. */
  readonly side?: 'buy' | 'sell';
}

export interface GuardAction {
  readonly type: 'guard';
  /** 0 removes the guard. */
  readonly ms: number;
}

/** Makes a quote set, changes its protection and makes its allowance whole; a quantity of 0 ends the set (QTS-3). */
export interface ProtectAction {
  readonly type: 'protect';
  /** 1 to `QUOTE_SETS_MAX`. */
  readonly set: number;
  /** The one underlying that the set quotes, in upper case. */
  readonly symbol: string;
  /** A push this long or longer after the first fill makes the allowance whole again. */
  readonly windowMs: number;
  /** Contracts that may trade before the set is pulled and frozen. */
  readonly qtyMicros: number;
  /** Contracts times absolute delta that may trade; absent for no such limit. */
  readonly deltaMicros?: number;
  /** How long a set that is used up stays frozen; 0 until it is unfrozen. */
  readonly frozenMs: number;
}

/** Lets a frozen set quote again, with a whole allowance (QTS-3). */
export interface UnfreezeAction {
  readonly type: 'unfreeze';
  readonly set: number;
}

/** The margin of an account's shorts: one by one, or together with the longs that cover them (DRM-1). */
export type MarginMode = 'per-leg' | 'defined-risk';

export interface MarginModeAction {
  readonly type: 'margin-mode';
  readonly mode: MarginMode;
}

export type BatchAction =
  | PlaceAction
  | ComboAction
  | AmendAction
  | CancelAction
  | CancelAllAction
  | GuardAction
  | ProtectAction
  | UnfreezeAction
  | MarginModeAction;
export type BatchActionType = BatchAction['type'];

export interface BatchEnvelopeFields extends EnvelopeFields {
  /** Id of the deployment (VEN-1). */
  readonly venue: string;
  readonly actions: readonly BatchAction[];
}

/**
 * The batch envelope: one line an action, in order, so that a changed line, order or count is another text (BAT-1).
 *
 * @example batchEnvelope({ venue, account, nonce: Date.now(), actions: [{ type: 'guard', ms: 30_000 }] })
 */
export function batchEnvelope(fields: BatchEnvelopeFields): string {
  const { venue, actions } = fields;
  return text(
    'Venue batch v1',
    `venue: ${textField('venue', venue)}`,
    accountLine(fields),
    `actions: ${actions.length}`,
    ...actions.map(actionLine),
    nonceLine(fields),
  );
}

function actionLine(action: BatchAction): string {
  switch (action.type) {
    case 'place':
      return placeLine(action);
    case 'combo':
      return comboLine(action);
    case 'amend': {
      const { ref, qtyMicros, priceMicros, filledAtMostMicros } = action;
      return `amend ${refText(ref)} ${amountText('qty', qtyMicros)} ${amountText('price', priceMicros)} ${amountText('filledAtMost', filledAtMostMicros)}`;
    }
    case 'cancel':
      return `cancel ${refText(action.ref)}`;
    case 'cancel-all':
      return `cancel-all ${scopeText(action.scope)} ${action.side ?? 'both'}`;
    case 'guard':
      return `guard ${integerField('ms', action.ms)}`;
    case 'protect':
      return protectLine(action);
    case 'unfreeze':
      return `unfreeze ${integerField('set', action.set)}`;
    case 'margin-mode':
      return `margin-mode ${action.mode}`;
  }
}

function protectLine({ set, symbol, windowMs, qtyMicros, deltaMicros, frozenMs }: ProtectAction): string {
  const delta = amountText('delta', deltaMicros);
  return `protect ${integerField('set', set)} ${textField('symbol', symbol)} ${integerField('windowMs', windowMs)} ${integerField('qty', qtyMicros)} ${delta} ${integerField('frozenMs', frozenMs)}`;
}

function placeLine(action: PlaceAction): string {
  const { seriesId, side, qtyMicros, priceMicros, tif, expiresAt = 0, flag = '-', stp, clientId } = action;
  const price = priceMicros === null ? 'market' : integerField('price', priceMicros);
  const inForce = tif === 'gtd' ? `gtd:${integerField('expiresAt', expiresAt)}` : tif;
  const id = clientId === undefined ? '-' : textField('clientId', clientId);
  return `place ${textField('seriesId', seriesId)} ${side} ${integerField('qty', qtyMicros)} ${price} ${inForce} ${flag} ${stp} ${id}`;
}

function comboLine({ legs, qtyMicros, netMicros, tif, clientId }: ComboAction): string {
  const net = netMicros === null ? 'market' : integerField('net', netMicros);
  const id = clientId === undefined ? '-' : textField('clientId', clientId);
  const named = legs.map(
    ({ seriesId, side, ratio }) =>
      `${side}:${integerField('ratio', ratio)}:${textField('seriesId', seriesId)}`,
  );
  return `combo ${integerField('qty', qtyMicros)} ${net} ${tif} ${id} ${named.join(',')}`;
}

function refText(ref: OrderRef): string {
  return 'orderId' in ref ? `#${integerField('orderId', ref.orderId)}` : textField('clientId', ref.clientId);
}

function amountText(field: string, micros: number | undefined): string {
  return micros === undefined ? '-' : integerField(field, micros);
}

function scopeText(scope: CancelScope): string {
  if (scope === 'all') return 'all';
  return 'symbols' in scope
    ? `symbols:${textField('symbols', scope.symbols.join(','))}`
    : `series:${textField('seriesIds', scope.series.join(','))}`;
}
