/**
 * Reads the `actions` of a batch as they stand in JSON (BAT-1, DET-1). Exchange and clients read them alike, so that both
 * build the same signed text.
 */

import {
  type AmendAction,
  BATCH_ACTIONS_MAX,
  BATCH_CANCEL_SERIES_MAX,
  type BatchAction,
  type CancelAllAction,
  type CancelScope,
  CLIENT_ID,
  COMBO_LEGS_MAX,
  COMBO_LEGS_MIN,
  type ComboAction,
  type ComboLeg,
  GUARD_MS_MAX,
  GUARD_MS_MIN,
  LEG_RATIO_MAX,
  type MarginMode,
  type OrderFlag,
  type OrderRef,
  type OrderTerms,
  type PlaceAction,
  type ProtectAction,
  type TimeInForce,
} from './batch.ts';
import { malformed, required } from './messages/fields.ts';
import type { MESSAGES } from './messages/messages.ts';
import type { PublicError } from './messages/refusal.ts';
import { FROZEN_MS_MAX, QUOTE_SETS_MAX, WINDOW_MS_MAX, WINDOW_MS_MIN } from './quote-sets.ts';
import { underlyingOf, upperSymbol } from './series.ts';
import { decimalToMicros } from './units.ts';

/** Held to the catalogue by its type alone, so that a client's bundle has no need of the rest. */
const TOO_MANY_ACTIONS: (typeof MESSAGES)['tooManyActions'] = {
  status: 400,
  error: 'too many actions',
  code: 'too-many-actions',
};

/**
 * The actions in micros with every default written out, or the first fault, named by its place (BAT-1, BAT-2, DET-1).
 *
 * @example readActions([{ type: 'cancel', orderId: 7 }]) // [{ type: 'cancel', ref: { orderId: 7 } }]
 * @example readActions([{ type: 'guard', ms: 1 }]) // { status: 400, error: 'actions[0].ms malformed', code: 'field-malformed' }
 */
export function readActions(actions: unknown): readonly BatchAction[] | PublicError {
  if (actions === undefined) return required('actions');
  if (!Array.isArray(actions)) return malformed('actions');
  if (actions.length > BATCH_ACTIONS_MAX) return TOO_MANY_ACTIONS;
  if (actions.length === 0) return malformed('actions');
  try {
    // Not `map`, which leaves out the holes of a sparse array.
    const read = Array.from(actions, readAction);
    checkNames(read);
    return read;
  } catch (fault) {
    if (fault instanceof ActionFault) return fault.error;
    throw fault;
  }
}

/** All the lists of a batch name as much as one of them may, so that what pulls nothing does not fill the log (BAT-7). */
function checkNames(actions: readonly BatchAction[]): void {
  const named = { series: 0, symbols: 0 };
  for (const [index, action] of actions.entries()) {
    if (action.type !== 'cancel-all' || action.scope === 'all') continue;
    const [kind, names] =
      'series' in action.scope
        ? (['series', action.scope.series] as const)
        : (['symbols', action.scope.symbols] as const);
    named[kind] += names.length;
    if (named[kind] <= BATCH_CANCEL_SERIES_MAX) continue;
    throw new ActionFault(malformed(`actions[${index}].${kind === 'series' ? 'seriesIds' : kind}`));
  }
}

/** Leaves the reading of nested fields; never leaves this file. */
class ActionFault extends Error {
  override name = 'ActionFault';
  readonly error: PublicError;

  constructor(error: PublicError) {
    super(error.error);
    this.error = error;
  }
}

interface Shape {
  readonly properties: ReadonlySet<string>;
  readonly read: (fields: Fields) => BatchAction;
}

const SIDES = ['buy', 'sell'] as const;
const TIMES_IN_FORCE = ['gtc', 'ioc', 'fok', 'gtd'] as const;
const IMMEDIATE = ['ioc', 'fok'] as const;
const MARGIN_MODES = ['per-leg', 'defined-risk'] as const;
const STP_MODES = ['taker', 'maker', 'both', 'none'] as const;

const ORDER = ['seriesId', 'side', 'qty', 'price'];
const TERMS = ['tif', 'expiresAt', 'postOnly', 'reduceOnly', 'stp', 'clientId'];

const SHAPES = new Map<unknown, Shape>([
  ['place', shape(readPlace, ...ORDER, ...TERMS)],
  ['combo', shape(readCombo, 'legs', 'qty', 'net', 'tif', 'clientId')],
  ['amend', shape(readAmend, 'orderId', 'clientId', 'qty', 'price', 'filledAtMost')],
  ['cancel', shape((fields) => ({ type: 'cancel', ref: readRef(fields) }), 'orderId', 'clientId')],
  ['cancel-all', shape(readCancelAll, 'symbols', 'seriesIds', 'side')],
  ['guard', shape((fields) => ({ type: 'guard', ms: readGuardMs(fields) }), 'ms')],
  ['protect', shape(readProtect, 'set', 'symbol', 'windowMs', 'qty', 'delta', 'frozenMs')],
  ['unfreeze', shape((fields) => ({ type: 'unfreeze', set: readSet(fields) }), 'set')],
  ['margin-mode', shape((fields) => ({ type: 'margin-mode', mode: readMode(fields) }), 'mode')],
]);

function shape(read: Shape['read'], ...properties: string[]): Shape {
  return { properties: new Set(['type', ...properties]), read };
}

function readAction(json: unknown, index: number): BatchAction {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ActionFault(malformed(`actions[${index}]`));
  }
  const fields = new Fields(json as Readonly<Record<string, unknown>>, index);
  if (!fields.has('type')) fields.missing('type');
  const known = SHAPES.get(fields.of('type')) ?? fields.malformed('type');
  fields.allowOnly(known.properties);
  return known.read(fields);
}

function readPlace(fields: Fields): PlaceAction {
  return {
    type: 'place',
    seriesId: fields.required('seriesId', isValue),
    side: fields.choice('side', SIDES) ?? fields.missing('side'),
    qtyMicros: fields.amount('qty') ?? fields.missing('qty'),
    priceMicros: fields.amount('price') ?? null,
    ...readTerms(fields),
  };
}

function readTerms(fields: Fields): OrderTerms {
  const isMarket = !fields.has('price');
  const tif = fields.choice('tif', TIMES_IN_FORCE) ?? (isMarket ? 'ioc' : 'gtc');
  if (isMarket && rests(tif)) fields.malformed('tif');
  const expiresAt = readExpiresAt(fields, tif);
  const flag = readFlag(fields, tif);
  const stp = fields.choice('stp', STP_MODES) ?? 'taker';
  const clientId = fields.optional('clientId', isClientId);
  return {
    tif,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(flag && { flag }),
    stp,
    ...(clientId !== undefined && { clientId }),
  };
}

function rests(tif: TimeInForce): boolean {
  return tif === 'gtc' || tif === 'gtd';
}

function readExpiresAt(fields: Fields, tif: TimeInForce): number | undefined {
  const expiresAt = fields.optional('expiresAt', isWhole);
  if (tif === 'gtd') return expiresAt ?? fields.missing('expiresAt');
  return expiresAt === undefined ? undefined : fields.malformed('expiresAt');
}

/** A post-only order must be able to rest, and a reduce-only order must not (TIF-2, TIF-3). */
function readFlag(fields: Fields, tif: TimeInForce): OrderFlag | undefined {
  const postOnly = fields.optional('postOnly', isBoolean) ?? false;
  const reduceOnly = fields.optional('reduceOnly', isBoolean) ?? false;
  if (postOnly && !rests(tif)) fields.malformed('postOnly');
  if (reduceOnly && (postOnly || rests(tif))) fields.malformed('reduceOnly');
  if (postOnly) return 'post-only';
  return reduceOnly ? 'reduce-only' : undefined;
}

function readCombo(fields: Fields): ComboAction {
  const legs = fields.required('legs', areLegs);
  const clientId = fields.optional('clientId', isClientId);
  return {
    type: 'combo',
    legs: legs.map(({ seriesId, side, ratio }) => ({ seriesId, side, ratio })),
    qtyMicros: fields.amount('qty') ?? fields.missing('qty'),
    netMicros: fields.signedAmount('net') ?? null,
    tif: fields.choice('tif', IMMEDIATE) ?? 'ioc',
    ...(clientId !== undefined && { clientId }),
  };
}

function readAmend(fields: Fields): AmendAction {
  const ref = readRef(fields);
  const qtyMicros = fields.amount('qty');
  const priceMicros = fields.amount('price');
  const filledAtMostMicros = fields.amount('filledAtMost');
  if (qtyMicros === undefined && priceMicros === undefined) fields.missing('qty');
  return {
    type: 'amend',
    ref,
    ...(qtyMicros !== undefined && { qtyMicros }),
    ...(priceMicros !== undefined && { priceMicros }),
    ...(filledAtMostMicros !== undefined && { filledAtMostMicros }),
  };
}

function readRef(fields: Fields): OrderRef {
  const orderId = fields.optional('orderId', isOrderId);
  const clientId = fields.optional('clientId', isClientId);
  if (orderId === undefined) return { clientId: clientId ?? fields.missing('orderId') };
  return clientId === undefined ? { orderId } : fields.malformed('clientId');
}

function readCancelAll(fields: Fields): CancelAllAction {
  const side = fields.choice('side', SIDES);
  return { type: 'cancel-all', scope: readScope(fields), ...(side && { side }) };
}

function readScope(fields: Fields): CancelScope {
  const symbols = fields.list('symbols', upperSymbol);
  const series = fields.list('seriesIds', (id) => id);
  if (symbols && series) fields.malformed('seriesIds');
  if (symbols) return { symbols };
  return series ? { series } : 'all';
}

function readGuardMs(fields: Fields): number {
  const ms = fields.required('ms', isWhole);
  return ms === 0 || (ms >= GUARD_MS_MIN && ms <= GUARD_MS_MAX) ? ms : fields.malformed('ms');
}

function readProtect(fields: Fields): ProtectAction {
  const deltaMicros = fields.amount('delta');
  return {
    type: 'protect',
    set: readSet(fields),
    symbol: upperSymbol(fields.required('symbol', isValue)),
    windowMs: fields.required('windowMs', within(WINDOW_MS_MIN, WINDOW_MS_MAX)),
    qtyMicros: fields.amount('qty') ?? fields.missing('qty'),
    ...(deltaMicros !== undefined && { deltaMicros }),
    frozenMs: fields.required('frozenMs', within(0, FROZEN_MS_MAX)),
  };
}

function readMode(fields: Fields): MarginMode {
  return fields.choice('mode', MARGIN_MODES) ?? fields.missing('mode');
}

function readSet(fields: Fields): number {
  return fields.required('set', within(1, QUOTE_SETS_MAX));
}

/** One action as posted. Every fault names its property. */
class Fields {
  readonly #json: Readonly<Record<string, unknown>>;
  readonly #index: number;

  constructor(json: Readonly<Record<string, unknown>>, index: number) {
    this.#json = json;
    this.#index = index;
  }

  of(name: string): unknown {
    return this.#json[name];
  }

  has(name: string): boolean {
    return this.#json[name] !== undefined;
  }

  allowOnly(properties: ReadonlySet<string>): void {
    for (const name of Object.keys(this.#json)) {
      if (!properties.has(name)) this.malformed(name);
    }
  }

  required<T>(name: string, is: (value: unknown) => value is T): T {
    return this.optional(name, is) ?? this.missing(name);
  }

  optional<T>(name: string, is: (value: unknown) => value is T): T | undefined {
    const value = this.#json[name];
    if (value === undefined) return undefined;
    return is(value) ? value : this.malformed(name);
  }

  choice<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    return this.optional(name, (value): value is T => choices.includes(value as T));
  }

  /** Zero is well-formed: the engine rejects it in its place among the checks (BAT-1). */
  amount(name: string): number | undefined {
    const micros = this.signedAmount(name);
    return micros !== undefined && micros < 0 ? this.malformed(name) : micros;
  }

  signedAmount(name: string): number | undefined {
    const decimal = this.optional(name, isNumber);
    return decimal === undefined ? undefined : (decimalToMicros(decimal) ?? this.malformed(name));
  }

  /** Sorted by bytes; `spell` gives each value its one spelling. */
  list(name: string, spell: (value: string) => string): readonly string[] | undefined {
    const values = this.optional(name, isList);
    if (values === undefined) return undefined;
    const spelled = values.map(spell).sort();
    return new Set(spelled).size === spelled.length ? spelled : this.malformed(name);
  }

  malformed(name: string): never {
    // The name may be a stranger's, and an answer repeats only what could be a name.
    throw new ActionFault(
      malformed(PROPERTY.test(name) ? `actions[${this.#index}].${name}` : `actions[${this.#index}]`),
    );
  }

  missing(name: string): never {
    throw new ActionFault(required(`actions[${this.#index}].${name}`));
  }
}

const PROPERTY = /^[A-Za-z]\w{0,31}$/;
/** Printable ASCII without space or comma, so that a value is one field of its line (BAT-1). */
const VALUE = /^[!-+\--~]{1,64}$/;
const LIST_MAX = 64;

function isValue(value: unknown): value is string {
  return typeof value === 'string' && VALUE.test(value);
}

/** Distinct series of one underlying, read off their ids (CMB-1, DET-6). */
function areLegs(value: unknown): value is readonly ComboLeg[] {
  if (!Array.isArray(value) || value.length < COMBO_LEGS_MIN || value.length > COMBO_LEGS_MAX) return false;
  // Not `every`, which passes over the holes of a sparse array.
  if (!Array.from(value).every(isLeg)) return false;
  const ids = value.map(({ seriesId }) => seriesId);
  return new Set(ids).size === ids.length && new Set(ids.map(underlyingOf)).size === 1;
}

const LEG_PROPERTIES: ReadonlySet<string> = new Set(['seriesId', 'side', 'ratio']);

function isLeg(value: unknown): value is ComboLeg {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { seriesId, side, ratio } = value as Readonly<Record<string, unknown>>;
  return (
    Object.keys(value).every((name) => LEG_PROPERTIES.has(name)) &&
    isValue(seriesId) &&
    SIDES.includes(side as 'buy') &&
    within(1, LEG_RATIO_MAX)(ratio)
  );
}

function isClientId(value: unknown): value is string {
  return typeof value === 'string' && CLIENT_ID.test(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function within(least: number, most: number): (value: unknown) => value is number {
  return (value): value is number => isWhole(value) && value >= least && value <= most;
}

function isOrderId(value: unknown): value is number {
  return isWhole(value) && value > 0;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.length <= LIST_MAX && value.every(isValue);
}
