/** A venue that has the files of a finished day. */

import { join } from 'node:path';
import { MemoryStore, openMemoryLog } from '@venue/log';
import { createLogger } from '../src/observe/logger.ts';
import { type LocalVenue, startVenue, waitFor } from './support.ts';

export const DAY = '2026-03-02';
const DAY_MS = 86_400_000;

export interface FinishedDay {
  readonly venue: LocalVenue;
  /** The lines that the node has logged. */
  readonly lines: readonly string[];
  /** The folder of the daily files. */
  readonly files: string;
}

/** A venue that goes on in the middle of the day after DAY, with the log and the folder of one that had prices on DAY. */
export async function nextDay(folder: string, files = join(folder, 'files')): Promise<FinishedDay> {
  const store = new MemoryStore();
  const noon = Date.parse(`${DAY}T12:00:00Z`);
  const history = join(folder, 'history.db');
  const env = { VENUE_FILES: files, VENUE_SYMBOLS: 'BTC:crypto' };
  const at = async (now: number) => ({
    ...{ store, history, clock: () => now },
    log: await openMemoryLog({ store, now: () => now }),
  });
  const first = await startVenue(env, await at(noon));
  await first.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
  await first.exchange.stop();
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const venue = await startVenue(env, { ...(await at(noon + DAY_MS)), logger });
  await waitFor(async () => (await listed(venue))[0]);
  return { venue, lines, files };
}

/** The days that a venue lists. */
export async function listed(
  venue: LocalVenue,
): Promise<{ readonly day: string; readonly files: readonly Named[] }[]> {
  return (await venue.get('/files/index.json')).body.days;
}

export interface Named {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}
