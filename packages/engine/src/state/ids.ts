/** Numeric ids of accounts and series (OWN-1). */

declare const accountIndex: unique symbol;
/** Index of an account in order of opening. */
export type AccountIndex = number & { readonly [accountIndex]: true };
declare const sid: unique symbol;
/** Index of a series in order of listing. */
export type Sid = number & { readonly [sid]: true };

declare const sessionHandle: unique symbol;
/** Place of a session's row, valid as long as somebody holds the row. */
export type SessionHandle = number & { readonly [sessionHandle]: true };

export const HOUSE = 0 as AccountIndex;
export const FEES = 1 as AccountIndex;
export const MAKER = 2 as AccountIndex;
