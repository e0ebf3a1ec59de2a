/** What a line must not break in: signed amounts, and a break-even with its price, apart from the words around them. */

const WHOLE = /([+−]\$?[\d,]+(?:\.\d+)?|break-even(?: \d[\d,.]*\d)?)/;

/**
 * Words and amounts in turn, beginning with words, which may be empty.
 *
 * @example amountsApart('Cash −$3.60.') // ['Cash ', '−$3.60', '.']
 */
export function amountsApart(text: string): readonly string[] {
  return text.split(WHOLE);
}
