/** The shape of a refusal, and the refusals that name a field. Apart from the catalogue, which few clients need whole. */

/** The body `{ error }` of a refused request and its HTTP status. */
export interface PublicError {
  readonly status: number;
  readonly error: string;
}

/** A missing required field: `seriesId required`. */
export function required(field: string): PublicError {
  return { status: 400, error: `${field} required` };
}

/** A field of the wrong type or shape: `qty malformed`. */
export function malformed(field: string): PublicError {
  return { status: 400, error: `${field} malformed` };
}
