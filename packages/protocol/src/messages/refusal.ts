/** The shape of a refusal, and the code that programs tell it by (ERR-1). */

/** The body `{ error }` of a refused request, its HTTP status, and the code of its `x-venue-code` header. */
export interface PublicError {
  readonly status: number;
  readonly error: string;
  readonly code: string;
  /** The nonce that the push after a stale one must exceed (QTS-1). */
  readonly lastNonce?: number | undefined;
}

/** `nonceUsed` as the code `nonce-used`. */
export type CodeOf<Name extends string, Done extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? CodeOf<Rest, First extends Lowercase<First> ? `${Done}${First}` : `${Done}-${Lowercase<First>}`>
  : Done;

/** The code of a message: its name in the catalogue, in kebab case. */
export function codeOf<Name extends string>(name: Name): CodeOf<Name> {
  return name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`) as CodeOf<Name>;
}

/** A text of the catalogue; names in braces stand for what a refusal fills in. */
export interface CatalogueText {
  readonly status: number;
  readonly error: string;
}

export type Coded<Texts extends Readonly<Record<string, CatalogueText>>> = {
  readonly [Name in keyof Texts & string]: Texts[Name] & { readonly code: CodeOf<Name> };
};

/** The rows of a table, each with its code. */
export function coded<const Texts extends Readonly<Record<string, CatalogueText>>>(
  texts: Texts,
): Coded<Texts> {
  const rows = Object.entries(texts).map(([name, row]) => [name, { ...row, code: codeOf(name) }]);
  return Object.fromEntries(rows) as Coded<Texts>;
}

/**
 * The text with its gaps filled in.
 *
 * @example filled(FIELDS.fieldRequired, { field: 'qty' }) // { status: 400, error: 'qty required', code: 'field-required' }
 */
export function filled(
  { status, error, code }: PublicError,
  gaps: Readonly<Record<string, string>>,
): PublicError {
  return { status, code, error: error.replace(GAP, (gap, name: string) => gaps[name] ?? gap) };
}

export const GAP = /\{(\w+)\}/g;
