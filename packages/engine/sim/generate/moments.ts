/** Instants at which a rule changes: entries a millisecond before, at, and after them find wrong comparisons. */

import type { Command } from '../../src/entry/command.ts';
import { generatePrints, generateQuotes } from './market.ts';
import { isOpen, signatureOf, type World } from './world.ts';

/** How far ahead an instant may lie: enough for the fifteen minutes between expiries. */
const HORIZON_MS = 16 * 60_000;

/** The averaging window before a cutoff (ORA-1). */
const WINDOW_MS = 30 * 60_000;

export interface Moment {
  readonly atMs: number;
  /** An entry whose outcome depends on the instant. */
  readonly command: () => Command;
}

/** The instants ahead of the entry being made. */
export function momentsAhead(world: World, maintain: () => Command): Moment[] {
  const now = world.now();
  const moments = [
    ...cutoffs(world),
    ...judgements(world, maintain),
    ...sessionEnds(world),
    ...ticks(world, maintain),
  ];
  return moments.filter(({ atMs }) => atMs > now + 1 && atMs <= now + HORIZON_MS);
}

/** From the cutoff on, orders and quotes are refused (FINE-5). */
function cutoffs(world: World): Moment[] {
  const { random, state, traders } = world;
  const open = state.series.filter((series) => isOpen(world, series));
  if (open.length === 0) return [];
  const { seriesId, expiryTs } = random.pick(open);
  const order = { seriesId, side: 'buy', qtyMicros: 1_000_000, priceMicros: 10_000 } as const;
  return [
    { atMs: expiryTs * 1000, command: () => ({ kind: 'order', account: random.pick(traders), ...order }) },
    { atMs: expiryTs * 1000, command: () => generateQuotes(world) },
  ];
}

/** A print counts from half an hour before the cutoff until the cutoff; a later tick settles (ORA-1). */
function judgements(world: World, maintain: () => Command): Moment[] {
  const cutoffs = new Set(world.state.series.map(({ expiryTs }) => expiryTs * 1000));
  const { staleMs } = world.parameters.oracle;
  return [...cutoffs].flatMap((cutoffMs) => [
    { atMs: cutoffMs, command: maintain },
    ...[cutoffMs - WINDOW_MS, cutoffMs - staleMs, cutoffMs].map((atMs): Moment => {
      return { atMs, command: () => generatePrints(world) };
    }),
  ]);
}

/** A session can sign until it expires; no approval may name a past instant (KEY-2). */
function sessionEnds({ state, now }: World): Moment[] {
  return state.accounts.flatMap(({ address, sessions }) =>
    sessions.map(({ key: sessionKey, expiresAt }): Moment => {
      const command = (): Command => {
        const authorization = { sessionKey, nonce: now(), signature: signatureOf(now()) };
        return { kind: 'cancel', account: address!, symbols: null, authorization };
      };
      return { atMs: expiresAt, command };
    }),
  );
}

/** Early ticks, the quotes' time to live, stale prices. */
function ticks({ state, parameters }: World, maintain: () => Command): Moment[] {
  const sources = state.instruments.flatMap((instrument) => instrument.sources);
  const instants = [
    (state.lastMaintenanceTs ?? 0) + parameters.maintenanceMs / 2,
    state.lastQuoteTs + parameters.quoteTtlMs,
    ...sources.map(({ ts }) => ts + parameters.sourceStaleMs),
  ];
  return instants.map((atMs) => ({ atMs, command: maintain }));
}
