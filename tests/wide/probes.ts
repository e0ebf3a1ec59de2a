/** Orders around a cutoff, and the log's time of each. */

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VenueClient } from '@venue/sdk';
import type { ShiftedClock } from './shifted-clock.ts';

export interface Probe {
  readonly seriesId: string;
  /** Identifies it in the log. */
  readonly qty: number;
  readonly reason: string | null;
}

export interface ProbeOptions {
  readonly venue: VenueClient;
  readonly clock: ShiftedClock;
  readonly cutoffMs: number;
  readonly series: readonly string[];
}

/** Long enough for a dozen orders on either side, however busy the machine. */
const AROUND_MS = 3_000;

/** Places orders in alternating series, from before the cutoff until after it, about one per millisecond around it. */
export async function probeCutoff({ venue, clock, cutoffMs, series }: ProbeOptions): Promise<Probe[]> {
  await sleep(cutoffMs - AROUND_MS - clock.now());
  const probes: Promise<Probe>[] = [];
  for (let i = 1; clock.now() < cutoffMs + AROUND_MS; i += 1) {
    const seriesId = series[i % series.length]!;
    const qty = (1_000 + i) / 1_000;
    const answer = venue.orders.place({ seriesId, side: 'buy', qty, price: 0.01 });
    probes.push(
      answer.then((given) => ({ seriesId, qty, reason: given.status === 'rejected' ? given.reason : null })),
    );
    await sleep(Math.abs(clock.now() - cutoffMs) < 50 ? 1 : 30);
  }
  return Promise.all(probes);
}

/** The log's time of every order, by its quantity in micros. */
export function orderTimes(logPath: string): Map<number, number> {
  const db = new DatabaseSync(logPath, { readOnly: true });
  const rows = db.prepare(`SELECT ts, CAST(body AS TEXT) AS body FROM log WHERE kind = 'batch'`).all();
  db.close();
  return new Map(
    rows.flatMap(({ ts, body }) =>
      (JSON.parse(String(body)).actions as { type: string; qtyMicros: number }[])
        .filter(({ type }) => type === 'place')
        .map(({ qtyMicros }) => [qtyMicros, Number(ts)] as const),
    ),
  );
}
