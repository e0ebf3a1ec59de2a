/** Finds the parts of a text that no line may break in: signed amounts, and a break-even with its price. */

const WHOLE = /([+−]\$?[\d,]+(?:\.\d+)?|break-even(?: \d[\d,.]*\d)?)/;

/**
 * Words and amounts in turn, beginning with words, which may be empty.
 *
 * @example amountsApart('Cash −$3.60.') // ['Cash ', '−$3.60', '.']
 */
export function amountsApart(text: string): readonly string[] {
  return text.split(WHOLE);
}
