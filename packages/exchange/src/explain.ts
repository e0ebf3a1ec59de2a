/** Explains why a process cannot start or continue. */

import { ConfigError } from '@venue/config';
import { NewerLogError } from '@venue/engine';
import { LogError } from '@venue/log';
import { TracingMissingError } from '@venue/telemetry';

const PLAIN = [ConfigError, LogError, NewerLogError, TracingMissingError];

/** One line for faults that an operator can fix, and the whole error for anything else. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The original error; closing what was open failed because of it.
  if (error instanceof SuppressedError) return explain(error.suppressed);
  const { code, address, port } = error as Error & { code?: string; address?: string; port?: number };
  if (code === 'EADDRINUSE') return `${address}:${port} is in use; set VENUE_PORT to another port`;
  if (code === 'EACCES' && port !== undefined)
    return `${address}:${port} may not be listened on; set VENUE_PORT`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `VENUE_HOST is no address of this machine (${code})`;
  if (PLAIN.some((kind) => error instanceof kind)) return error.message;
  return error.stack ?? error.message;
}
