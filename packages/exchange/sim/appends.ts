/** What nodes have given to the log, so that it can hold no more, and nothing of which it said that it was not written. */

import {
  type Log,
  LogClockError,
  type LogEntry,
  LogFullError,
  type LogItem,
  LogUnavailableError,
} from '@venue/log';

export class Appends {
  /** How often an item may be in the log, by its content. */
  readonly #most = new Map<string, number>();

  /** Has the log tell of what it is given. */
  watch(log: Log): void {
    const append = log.append.bind(log);
    log.append = (items) => {
      this.#add(items, 1);
      const placed = append(items);
      placed.catch((error) => {
        if (saysNothingWasWritten(error)) this.#add(items, -1);
      });
      return placed;
    };
  }

  #add(items: readonly LogItem[], times: number): void {
    for (const item of items) {
      const content = contentOf(item);
      this.#most.set(content, (this.#most.get(content) ?? 0) + times);
    }
  }

  /** Entries that are there too often, in a sentence each. */
  *faults(entries: readonly LogEntry[]): Generator<string> {
    const left = new Map(this.#most);
    for (const entry of entries) {
      const content = contentOf(entry);
      const times = left.get(content) ?? 0;
      left.set(content, times - 1);
      if (times <= 0)
        yield `entry ${entry.seq} (${entry.kind}) was appended by nobody, or by somebody who was told that it is not there`;
    }
  }
}

function saysNothingWasWritten(error: unknown): boolean {
  return (
    error instanceof LogFullError ||
    error instanceof LogClockError ||
    (error instanceof LogUnavailableError && error.outcome === 'none')
  );
}

function contentOf({ kind, body }: Pick<LogItem, 'kind' | 'body'>): string {
  return `${kind} ${Buffer.from(body).toString('latin1')}`;
}
