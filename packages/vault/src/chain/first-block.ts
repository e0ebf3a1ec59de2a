import type { BlockRange } from './log-reader.ts';

/** The lowest block for which a question is answered with yes, if it stays so from there on; the last one at most. */
export async function firstBlock(
  { from, to }: BlockRange,
  is: (block: number) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await is(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
