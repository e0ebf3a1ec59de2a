/** The lock of an expiry whose longs cover its shorts, in words: the parts of its amount, and its legs (DRM-5). */

import { type MarginGroup, parseSeriesId } from '@venue/protocol';
import { addingUp } from '../../../basics/adding-up.ts';
import { formatPrice, formatSize } from '../../../basics/numbers.ts';
import { contractWords } from '../../order/core/tray/words.ts';

export interface GroupWords {
  /** The parts of the amount, which add up to it as written. */
  readonly sum: string;
  readonly legs: readonly string[];
}

/**
 * @param shown the group's amount in whole cents, as it stands in its line
 * @example groupWords(group, 5746.6).sum // 'Spreads 300.00 (worst at 96,500) + 0.3 uncovered 96,000 call 5,446.60'
 */
export function groupWords(group: MarginGroup, shown: number): GroupWords {
  const { rule, covers, uncovered, loss } = group;
  const worst = `worst at ${loss.at.toLocaleString('en-US')}`;
  if (rule === 'settlement') return { sum: `Its settlement price is known: pays ${cents(shown)}`, legs: [] };
  const legs = [
    ...covers.map(
      ({ short, long, qty, each }) =>
        `${formatSize(qty)} of the ${nameOf(short)} covered by the ${nameOf(long)}: ${formatPrice(each)} each`,
    ),
    ...uncovered.map(
      ({ seriesId, qty, unit }) =>
        `${formatSize(qty)} of the ${nameOf(seriesId)} uncovered: ${formatPrice(unit)} each`,
    ),
  ];
  if (rule === 'B') return { sum: `All of it together ${cents(shown)} (${worst})`, legs };
  const covered = covers.reduce((sum, { qty, each }) => sum + qty * each, 0);
  const [spreads, ...singles] = addingUp(shown, [covered, ...uncovered.map(({ qty, unit }) => qty * unit)]);
  const parts = uncovered.map(
    ({ seriesId, qty }, at) => `${formatSize(qty)} uncovered ${nameOf(seriesId)} ${cents(singles[at]!)}`,
  );
  if (covers.length > 0) parts.unshift(`Spreads ${cents(spreads!)} (${worst})`);
  return { sum: parts.join(' + '), legs };
}

function cents(usd: number): string {
  return formatPrice(usd, 2);
}

function nameOf(seriesId: string): string {
  const terms = parseSeriesId(seriesId);
  return terms === undefined
    ? seriesId
    : contractWords({ strike: terms.strikeMicros / 1e6, right: terms.right });
}
