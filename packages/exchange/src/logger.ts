/** Structured logs on the standard error stream. They never hold tokens, signatures, bodies or query strings. */

import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** A logger that has written a line when the call returns, so that a crash loses none. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino({ level, base: null }, destination ?? pino.destination({ fd: 2, sync: true }));
}
