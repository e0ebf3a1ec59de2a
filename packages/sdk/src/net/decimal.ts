/**
 * An amount in decimals: a number, or a text such as `'0.25'`, whose digits are taken exactly as they stand. A text is
 * what a program has that counts in decimals or reads them from a form.
 */
export type Decimal = number | string;
