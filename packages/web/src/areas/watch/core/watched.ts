/**
 * A person's watchlist: contracts and underlyings, and alerts on their prices. Changes throw `RangeError` with a
 * sentence where there is no room.
 */

import { parseSeriesId } from '@venue/protocol';
import { type Members, membersOf } from '../../../basics/kept.ts';

export const WATCHED_MAX = 50;
export const ALERTS_MAX = 50;

export const MEASURES = ['spot', 'mark', 'bid', 'ask', 'iv'] as const;
export type Measure = (typeof MEASURES)[number];

export interface PriceAlert {
  readonly id: string;
  /** A contract, or for its spot an underlying. */
  readonly of: string;
  readonly measure: Measure;
  readonly side: 'above' | 'below';
  /** Dollars; for a volatility percent. */
  readonly level: number;
}

export interface Watched {
  /** Contracts and underlyings, in the order in which they were starred. */
  readonly names: readonly string[];
  readonly alerts: readonly PriceAlert[];
}

const SYMBOL = /^[A-Z0-9]{1,12}$/;

/** The usable part of what is kept. */
export function watchedOf({ names, alerts }: Members): Watched {
  const listed = (Array.isArray(names) ? names : []).filter(isName);
  const known = (Array.isArray(alerts) ? alerts : []).filter(isAlert);
  return {
    names: [...new Set(listed)].slice(0, WATCHED_MAX),
    alerts: [...new Map(known.map((alert) => [alert.id, alert])).values()].slice(0, ALERTS_MAX),
  };
}

function isName(kept: unknown): kept is string {
  return typeof kept === 'string' && (SYMBOL.test(kept) || parseSeriesId(kept) !== undefined);
}

function isAlert(kept: unknown): kept is PriceAlert {
  const { id, of, measure, side, level } = membersOf(kept);
  return (
    typeof id === 'string' &&
    isName(of) &&
    MEASURES.includes(measure as Measure) &&
    (measure === 'spot') === SYMBOL.test(of) &&
    (side === 'above' || side === 'below') &&
    typeof level === 'number' &&
    level > 0 &&
    Number.isFinite(level)
  );
}

export function withStar(watched: Watched, name: string): Watched {
  if (watched.names.includes(name)) return watched;
  if (watched.names.length >= WATCHED_MAX)
    throw new RangeError(`The watch list has room for ${WATCHED_MAX}. Take one out first.`);
  return { ...watched, names: [...watched.names, name] };
}

export function withoutStar(watched: Watched, name: string): Watched {
  return { ...watched, names: watched.names.filter((one) => one !== name) };
}

export function withAlert(watched: Watched, alert: PriceAlert): Watched {
  if (watched.alerts.length >= ALERTS_MAX)
    throw new RangeError(`There is room for ${ALERTS_MAX} alerts. Take one out first.`);
  return { ...watched, alerts: [...watched.alerts, alert] };
}

export function withoutAlert(watched: Watched, id: string): Watched {
  return { ...watched, alerts: watched.alerts.filter((alert) => alert.id !== id) };
}

/** The underlying of a contract, or the underlying itself. */
export function symbolOf(name: string): string {
  return name.split('-', 1)[0]!;
}

/** Contracts past their cutoff, which trade no more. */
export function expired({ names, alerts }: Watched, nowMs: number): readonly string[] {
  const all = new Set([...names, ...alerts.map(({ of }) => of)]);
  return [...all].filter(
    (name) => (parseSeriesId(name)?.expiryTs ?? Number.POSITIVE_INFINITY) * 1_000 <= nowMs,
  );
}

export function withoutNames({ names, alerts }: Watched, gone: readonly string[]): Watched {
  return {
    names: names.filter((name) => !gone.includes(name)),
    alerts: alerts.filter(({ of }) => !gone.includes(of)),
  };
}

/** An unknown value meets nothing. */
export function isMet({ side, level }: Pick<PriceAlert, 'side' | 'level'>, value: number): boolean {
  return side === 'above' ? value > level : value < level;
}
