/** Refusals that name a field of a request. Apart from the other messages, which few clients need whole. */

import { coded, filled, type PublicError } from './refusal.ts';

export const FIELDS = coded({
  fieldRequired: { status: 400, error: '{field} required' },
  fieldMalformed: { status: 400, error: '{field} malformed' },
  fieldEmpty: { status: 400, error: '{field} must not be empty' },
  fieldWrong: { status: 400, error: '{field} must be {expected}' },
});

/** The field that the text of a refusal names, by its code; undefined for a code that names none. */
export function fieldIn(code: string, text: string): string | undefined {
  const row = Object.values(FIELDS).find((one) => one.code === code);
  if (row === undefined) return undefined;
  const [, after = ''] = row.error.split(/\{\w+\}/);
  return text.slice(0, text.indexOf(after));
}

/** A missing required field: `seriesId required`. */
export function required(field: string): PublicError {
  return filled(FIELDS.fieldRequired, { field });
}

/** A field of the wrong type or shape: `qty malformed`. */
export function malformed(field: string): PublicError {
  return filled(FIELDS.fieldMalformed, { field });
}

/** An empty list or text: `symbols must not be empty`. */
export function empty(field: string): PublicError {
  return filled(FIELDS.fieldEmpty, { field });
}

/** A field that is none of what it may be: `side must be buy or sell`. */
export function wrong(field: string, expected: string): PublicError {
  return filled(FIELDS.fieldWrong, { field, expected });
}
