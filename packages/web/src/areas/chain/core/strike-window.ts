/** Which strikes are shown by default: listings pile up as the underlying moves. */

const PER_SIDE = 20;

/**
 * Range of rows (end exclusive) around the spot given as centre, or around the middle row where it is NaN. Strikes
 * ascend.
 *
 * @example strikeWindow([90, 100, 110], 101) // [0, 3]
 */
export function strikeWindow(
  strikes: readonly number[],
  centre: number,
  perSide: number = PER_SIDE,
): readonly [from: number, to: number] {
  const at = Number.isNaN(centre) ? strikes.length >> 1 : nearestIndex(strikes, centre);
  return [Math.max(0, at - perSide), Math.min(strikes.length, at + perSide + 1)];
}

function nearestIndex(strikes: readonly number[], price: number): number {
  let best = 0;
  for (let i = 1; i < strikes.length; i++)
    if (Math.abs(strikes[i]! - price) < Math.abs(strikes[best]! - price)) best = i;
  return best;
}
