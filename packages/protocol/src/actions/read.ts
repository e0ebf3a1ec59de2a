/**
 * Reads the `actions` of a batch as they stand in JSON (BAT-1, DET-1). Exchange and clients read them alike, so that both
 * build the same signed text.
 */

import { malformed, required } from '../messages/fields.ts';
import type { MESSAGES } from '../messages/messages.ts';
import type { PublicError } from '../messages/refusal.ts';
import type { Field } from './field.ts';
import { ACTIONS, type BatchAction } from './index.ts';
import type { ActionKind } from './kind.ts';
import { BATCH_ACTIONS_MAX, BATCH_CANCEL_SERIES_MAX } from './limits.ts';
import { ActionFault, Posted, placeOf } from './posted.ts';

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
  return orFault(() => {
    const read: BatchAction[] = [];
    // Not `map`, which leaves out the holes of a sparse array.
    for (let index = 0; index < actions.length; index++)
      read.push(actionOf(new Posted(actions[index], index)));
    checkNames(read);
    return read;
  });
}

/** As `readActions` reads the only action of a batch, but faults name properties without the place in the batch. */
export function readAction(json: unknown): BatchAction | PublicError {
  return orFault(() => {
    const action = actionOf(new Posted(json, 0, true));
    checkNames([action]);
    return action;
  });
}

function orFault<T>(read: () => T): T | PublicError {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof ActionFault) return fault.error;
    throw fault;
  }
}

/** A kind of action, prepared for reading. */
interface Reader {
  readonly kind: ActionKind;
  /** The properties that may be posted. */
  readonly properties: ReadonlySet<string>;
  /** The fields in the order in which they are read. */
  readonly fields: readonly Field<unknown>[];
  /** Their names in the order of the log, each with its place among `fields`. */
  readonly names: readonly (readonly [string, number])[];
  /** The names of fields with lists of names. */
  readonly listing: readonly string[];
}

const READERS: ReadonlyMap<unknown, Reader> = new Map(ACTIONS.map((kind) => [kind.type, readerOf(kind)]));

function readerOf(kind: ActionKind): Reader {
  const { fields, readFirst = [] } = kind;
  const names = Object.keys(fields);
  const order = [...new Set([...readFirst, ...names])];
  const properties = Object.values(fields).flatMap((field) => Object.keys(field.properties));
  return {
    kind,
    properties: new Set(['type', ...properties]),
    fields: order.map((name) => fields[name]!),
    names: names.map((name) => [name, order.indexOf(name)]),
    listing: names.filter((name) => fields[name]!.namesIn !== undefined),
  };
}

function actionOf(posted: Posted): BatchAction {
  const { kind, properties, fields, names } = posted.required('type', (type) => READERS.get(type));
  posted.allowOnly(properties);
  const values = fields.map((field) => field.read(posted));
  kind.check?.(posted);
  const action: Record<string, unknown> = { type: kind.type };
  // Without the fields that are absent.
  for (const [name, i] of names) if (values[i] !== undefined) action[name] = values[i];
  return action as unknown as BatchAction;
}

const NO_LISTS: readonly never[] = [];

/** All the lists of a batch name as much as one of them may, so that what pulls nothing does not fill the log (BAT-7). */
function checkNames(actions: readonly BatchAction[]): void {
  const named = new Map<string, number>();
  for (const [index, action] of actions.entries()) {
    for (const [property, names] of listsOf(action)) {
      const count = (named.get(property) ?? 0) + names.length;
      if (count > BATCH_CANCEL_SERIES_MAX) throw new ActionFault(malformed(`${placeOf(index)}.${property}`));
      named.set(property, count);
    }
  }
}

function listsOf(action: BatchAction): readonly [string, readonly string[]][] {
  const { kind, listing } = READERS.get(action.type)!;
  if (listing.length === 0) return NO_LISTS;
  const values = action as Readonly<Record<string, unknown>>;
  return listing.flatMap((name) => Object.entries(kind.fields[name]!.namesIn!(values[name])));
}
