/** Reads of the history by routes. */

import { HistoryUnavailableError } from '../history/history.ts';
import { refuse } from './errors.ts';
import type { Services } from './services.ts';

/** Reads from the history; if there is none, or none at present, the request is refused. The log says why. */
export async function fromHistory<T>(
  { history }: Pick<Services, 'history'>,
  read: (history: NonNullable<Services['history']>) => Promise<T>,
): Promise<T> {
  if (history === null) refuse('historyUnavailable');
  return read(history).catch((error) => {
    if (error instanceof HistoryUnavailableError) refuse('historyUnavailable');
    throw error;
  });
}
