/** The signed amounts of a sentence, apart from its words. */

const SIGNED = /([+−]\$?[\d,]+(?:\.\d+)?)/;

/**
 * Words and amounts in turn, beginning with words, which may be empty.
 *
 * @example amountsApart('Cash −$3.60.') // ['Cash ', '−$3.60', '.']
 */
export function amountsApart(text: string): readonly string[] {
  return text.split(SIGNED);
}
