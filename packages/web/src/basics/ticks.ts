/** Round numbers along an axis. */

export interface Ticks {
  readonly values: readonly number[];
  /** Decimals needed to tell neighbouring ticks apart. */
  readonly decimals: number;
}

/**
 * Multiples of 1, 2, 2.5 or 5 times a power of ten within a range, about as many as asked for.
 *
 * @example ticksOf({ low: 0, high: 10 }, 5).values // [0, 2, 4, 6, 8, 10]
 */
export function ticksOf(
  { low, high }: { readonly low: number; readonly high: number },
  about: number,
): Ticks {
  const width = high - low;
  if (!(width > 0) || !Number.isFinite(width)) return { values: [low], decimals: 0 };
  const rough = width / Math.max(1, about);
  const power = Math.floor(Math.log10(rough));
  const unit = rough / 10 ** power;
  const factor = STEPS.find((step) => unit <= step) ?? 10;
  const decimals = Math.max(0, (factor === 2.5 ? 1 : 0) - (factor === 10 ? power + 1 : power));
  // Divides for powers below one, which is exact where multiplying by a tenth is not.
  const at = (n: number) => (power < 0 ? (n * factor) / 10 ** -power : n * factor * 10 ** power);
  const step = at(1);
  const values: number[] = [];
  for (let n = Math.ceil(low / step - SLACK); at(n) <= high + step * SLACK; n++) values.push(at(n) + 0);
  return { values, decimals };
}

const STEPS = [1, 2, 2.5, 5] as const;
const SLACK = 1e-9;
