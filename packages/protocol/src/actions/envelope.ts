/** The text that a session key signs for all actions of a batch (BAT-1). */

import { accountLine, type EnvelopeFields, nonceLine, text, textField } from '../envelopes.ts';
import { ACTIONS, type BatchAction } from './index.ts';
import type { ActionKind } from './kind.ts';

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

/** The fields of each kind in the order in which its line has them. */
const LINES: ReadonlyMap<string, readonly (readonly [string, ActionKind['fields'][string]])[]> = new Map(
  ACTIONS.map((kind: ActionKind) => [kind.type, lineOf(kind)]),
);

function lineOf({ fields, signedLast = [] }: ActionKind) {
  const first = Object.keys(fields).filter((name) => !signedLast.includes(name));
  return [...first, ...signedLast].map((name) => [name, fields[name]!] as const);
}

function actionLine(action: BatchAction): string {
  const values = action as Readonly<Record<string, unknown>>;
  let line: string = action.type;
  for (const [name, field] of LINES.get(action.type)!) line += field.text(values[name], values);
  return line;
}
