/** Reads the body of a batch, whose shape is checked more strictly than that of older writes (BAT-1, DET-1). */

import {
  BATCH_ACTIONS_MAX,
  type BatchAction,
  MESSAGES,
  malformed,
  type PublicError,
  readActions,
} from '@venue/protocol';
import { HttpError } from './errors.ts';

const PROPERTIES: ReadonlySet<string> = new Set(['actions', 'sessionKey', 'nonce', 'signature']);
/** Names of strangers' properties that an answer repeats. */
const PROPERTY = /^[A-Za-z]\w{0,31}$/;

/** The actions of a body, or its first fault; the signing fields are read elsewhere (AUTH-3). */
export function readBatch(body: object): readonly BatchAction[] | PublicError {
  const { actions } = body as { readonly actions?: unknown };
  // Said before any malformation, also of what stands beside the actions.
  if (Array.isArray(actions) && actions.length > BATCH_ACTIONS_MAX) return MESSAGES.tooManyActions;
  for (const name of Object.keys(body)) {
    if (!PROPERTIES.has(name)) return malformed(PROPERTY.test(name) ? name : 'body');
  }
  return readActions(actions);
}

/** The same; throws `HttpError` for a fault. */
export function actionsOf(body: object): readonly BatchAction[] {
  const actions = readBatch(body);
  if ('error' in actions) throw new HttpError(actions);
  return actions;
}
