/** Instants at which a rule turns: entries one millisecond before, on, and after them find a wrong comparison. */

import type { Command } from '../../src/entry/command.ts';
import { generatePrints, generateQuotes } from './market.ts';
import { isOpen, signatureOf, type World } from './world.ts';

/** How far ahead an instant may lie: far enough for the quarter of an hour between expiries. */
const HORIZON_MS = 16 * 60_000;

/** What is averaged before a cutoff (ORA-1). */
const WINDOW_MS = 30 * 60_000;

export interface Moment {
  readonly atMs: number;
  /** An entry that the instant decides about. */
  readonly command: () => Command;
}

/** The turning points ahead of the entry in the making. */
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

/** Orders are refused from the cutoff instant on (FINE-5), and so are quotes. */
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

/** A print counts from the start of the half hour before the cutoff to the cutoff; a tick settles once that is over (ORA-1). */
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

/** A session signs until the instant it ends at; no approval may name an instant that is past (KEY-2). */
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

/** A tick is early, quotes outlive their time, a price goes stale. */
function ticks({ state, parameters }: World, maintain: () => Command): Moment[] {
  const sources = state.instruments.flatMap((instrument) => instrument.sources);
  const instants = [
    (state.lastMaintenanceTs ?? 0) + parameters.maintenanceMs / 2,
    state.lastQuoteTs + parameters.quoteTtlMs,
    ...sources.map(({ ts }) => ts + parameters.sourceStaleMs),
  ];
  return instants.map((atMs) => ({ atMs, command: maintain }));
}
