/** Records what nodes append, to check that the log holds nothing else and nothing it reported as not written. */

import {
  type Log,
  LogClockError,
  type LogEntry,
  LogFullError,
  type LogItem,
  LogUnavailableError,
} from '@venue/log';

export class Appends {
  /** The most copies of an item, by content, that the log may hold. */
  readonly #most = new Map<string, number>();

  /** Records every append to the log. */
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

  /** One sentence for each entry that the log holds too often. */
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
