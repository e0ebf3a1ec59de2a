/** The four questions an operator comes with, each answered in a line from the data on the page. */

import type { ExposedAccount, ExposedExpiry, ExposureReport } from '@venue/protocol';
import { formatPrice, formatUsd } from '../../basics/numbers.ts';
import { shortAddress } from '../../basics/short-address.ts';
import type { Watched } from './admin-console.ts';
import { durationText, expiryText } from './instant-text.ts';
import { gauge } from './metrics.ts';
import { latestOf } from './trends.ts';
import { waitingOf } from './waiting.ts';

export interface Answer {
  readonly question: string;
  /** Id of the section with all of it. */
  readonly section: string;
  readonly answer: string;
  readonly detail: string;
  /** True where somebody should look now. */
  readonly isUrgent: boolean;
}

/** Orders take a few ms. Above this traders notice. */
const SLOW_S = 0.1;
const MAKERS_NAMED = 3;

export function glanceOf(watched: Watched): readonly Answer[] {
  return [liquidation(watched.exposure), exposure(watched.exposure), health(watched), waiting(watched)];
}

/** Equity less maintenance: what an account may still lose, negative in a margin call. */
export function cushionOf({ equity, maintenance }: ExposedAccount): number {
  return equity - maintenance;
}

function liquidation({ called, calledCount, largest, ts }: ExposureReport): Answer {
  const about = { question: 'Liquidated next', section: 'admin-called' };
  const [first] = called.toSorted((a, b) => (a.calledSince ?? ts) - (b.calledSince ?? ts));
  if (first !== undefined) {
    const since = first.calledSince === null ? 'at the next tick' : durationText(ts - first.calledSince);
    const detail = `${shortAddress(first.address)}: in call ${since}, short of ${formatUsd(-cushionOf(first))}`;
    return { ...about, answer: `${calledCount} in call`, detail, isUrgent: true };
  }
  const [nearest] = largest
    .filter(({ maintenance }) => maintenance > 0)
    .sort((a, b) => a.equity / a.maintenance - b.equity / b.maintenance);
  const detail =
    nearest === undefined
      ? 'no large account holds shorts'
      : `nearest of the largest: ${shortAddress(nearest.address)}, ${formatUsd(cushionOf(nearest))} above its call`;
  return { ...about, answer: 'Nobody in call', detail, isUrgent: false };
}

function exposure({ expiries, largest, ts }: ExposureReport): Answer {
  const about = { question: 'The venue may lose', section: 'admin-exposure' };
  const worst = expiries.reduce<ExposedExpiry | null>(
    (most, one) => (most === null || one.worst.amount < most.worst.amount ? one : most),
    null,
  );
  if (worst === null) return { ...about, answer: 'Nothing', detail: 'no open interest', isUrgent: false };
  const makers = makersText(largest);
  const { symbol, expiryTs, worst: least } = worst;
  const houses = expiries.filter(({ houseShare }) => houseShare > 0).length;
  const house = houses === 0 ? '' : `; the house holds some of ${houses}`;
  return {
    ...about,
    answer: least.amount < 0 ? formatUsd(-least.amount) : 'Nothing',
    detail: `on ${symbol} ${expiryText(expiryTs, ts)}, settled at ${formatPrice(least.at)}${house}${makers}`,
    isUrgent: houses > 0,
  };
}

/** Makers by quote sets are accounts like any other: what they hold is theirs to lose. */
function makersText(largest: readonly ExposedAccount[]): string {
  const makers = largest.filter(({ quoteSets }) => quoteSets > 0);
  if (makers.length === 0) return '';
  const gross = makers.reduce((sum, { exposure }) => sum + exposure, 0);
  const names = makers.slice(0, MAKERS_NAMED).map(({ address }) => shortAddress(address));
  const more = makers.length > names.length ? ' and others' : '';
  return `; makers ${names.join(', ')}${more} hold ${formatUsd(gross)} gross on their own account`;
}

function health({ isHealthy, instruments, metrics, trend }: Watched): Answer {
  const { p99, failed } = latestOf(trend);
  const stale = instruments.filter(({ feedFresh }) => !feedFresh).map(({ symbol }) => symbol);
  const behind = gauge(metrics, 'venue_log_contact_age_seconds');
  const faults = [
    ...(isHealthy ? [] : ['node not healthy']),
    ...(behind > 1 ? [`log heard ${behind.toFixed(1)} s ago`] : []),
    ...(stale.length > 0 ? [`no price of ${stale.join(', ')}`] : []),
    ...(failed !== null && failed > 0 ? [`${failed.toFixed(1)} errors a minute`] : []),
    ...(p99 !== null && p99 > SLOW_S ? ['slow orders'] : []),
  ];
  return {
    question: 'Slow or failing',
    section: 'admin-trends',
    answer: p99 === null ? 'No orders' : `Orders ${(p99 * 1_000).toFixed(0)} ms`,
    detail:
      faults.length > 0
        ? faults.join(', ')
        : 'p99 of the last minute at this node; no errors, all prices fresh',
    isUrgent: faults.length > 0,
  };
}

function waiting(watched: Watched): Answer {
  const { proposals, reviews, payouts, held, count } = waitingOf(watched);
  const parts = [
    [reviews.length, 'in review'],
    [proposals.length, 'proposed'],
    [payouts.length, payouts.length === 1 ? 'payout' : 'payouts'],
    [held.length, held.length === 1 ? 'held deposit' : 'held deposits'],
  ] as const;
  const ends = proposals.map(({ expiresAt }) => expiresAt);
  const until =
    ends.length === 0 ? '' : `; first ends in ${durationText(Math.min(...ends) - watched.exposure.ts)}`;
  const named = parts.filter(([n]) => n > 0).map(([n, name]) => `${n} ${name}`);
  return {
    question: 'Waits for you',
    section: 'admin-waiting',
    answer: count === 0 ? 'Nothing' : String(count),
    detail: count === 0 ? 'no review, proposal, payout or deposit' : named.join(', ') + until,
    isUrgent: count > 0,
  };
}
