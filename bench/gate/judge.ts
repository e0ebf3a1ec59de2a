/** Judges costs that two sides had by turns. */

import { medianOf } from '../shared/median.ts';

/** The cost of one unit of work, in microseconds: of processor time, and of time. */
export interface Cost {
  readonly cpuUs: number;
  readonly wallUs: number;
}

/** Two rounds that followed each other. */
export interface Pair {
  readonly base: Cost;
  readonly now: Cost;
}

/** Worse by more than this share fails. */
export const LIMIT = 0.05;

export type Verdict = 'ok' | 'better' | 'WORSE' | 'cannot tell' | 'cannot tell, WORSE';

export interface Judged {
  /** Medians of all rounds, µs of processor time. */
  readonly baseUs: number;
  readonly nowUs: number;
  /** The median of the pairs' ratios, now to base; the least and greatest of the launches' own. */
  readonly ratio: number;
  readonly least: number;
  readonly greatest: number;
  /** The median of the same ratios of time, which is not judged. */
  readonly wallRatio: number;
  readonly verdict: Verdict;
}

/**
 * Judges the pairs of several launches. Processes of one and the same code differ by some percent for as long as they
 * live, so that more rounds of one launch do not help, and what the launches' medians differ by is the spread.
 */
export function judge(launches: readonly (readonly Pair[])[]): Judged {
  const pairs = launches.flat();
  const ratios = launches.map((launch) => medianOf(launch.map(cpuRatioOf)));
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)];
  const ratio = medianOf(pairs.map(cpuRatioOf));
  return {
    baseUs: medianOf(pairs.map(({ base }) => base.cpuUs)),
    nowUs: medianOf(pairs.map(({ now }) => now.cpuUs)),
    ...{ ratio, least, greatest },
    wallRatio: medianOf(pairs.map(({ base, now }) => now.wallUs / base.wallUs)),
    verdict: verdictOf({ ratio, least, greatest }),
  };
}

/** True for a verdict that fails the gate: also where the spread is wide, if its centre is past the limit. */
export function fails(verdict: Verdict): boolean {
  return verdict.endsWith('WORSE');
}

function verdictOf({ ratio, least, greatest }: Pick<Judged, 'ratio' | 'least' | 'greatest'>): Verdict {
  const isWorse = ratio > 1 + LIMIT;
  const isUntold = greatest - least > LIMIT && least <= 1 + LIMIT && greatest > 1 + LIMIT;
  if (isUntold) return isWorse ? 'cannot tell, WORSE' : 'cannot tell';
  if (isWorse) return 'WORSE';
  return greatest < 1 - LIMIT ? 'better' : 'ok';
}

function cpuRatioOf({ base, now }: Pair): number {
  return now.cpuUs / base.cpuUs;
}
