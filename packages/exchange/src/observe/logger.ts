/** Structured logs on the standard error stream. They never hold tokens, signatures, bodies or query strings. */

import { LogClockError, LogFullError, LogUnavailableError } from '@venue/log';
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** Interval at which a lasting log failure is reported again. */
const REPEAT_MS = 60_000;
/** Lines that wait for room on a full disk. */
const WAITING_CHARS_MAX = 1_048_576;

/**
 * A logger that writes each line before the call returns, so that a crash loses none. While the log is full or
 * unreachable, or its clock wrong, every request fails the same way: the first such line is written, then one a minute
 * with the number left out.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const lasting = new LastingTroubles();
  return pino(
    {
      level,
      base: null,
      hooks: {
        logMethod(args, write) {
          const trouble = troubleOf(args);
          if (trouble === null) write.apply(this, args);
          else
            lasting.report(trouble, (more) =>
              write.apply(this, [{ ...trouble.fields, ...more }, trouble.text]),
            );
        },
      },
    },
    destination ?? standardError(),
  );
}

/** A full disk under the journal stops no service: lines wait for room, up to a bound, and then are left out. */
function standardError(): DestinationStream {
  const lines = pino.destination({ fd: 2, sync: true, maxLength: WAITING_CHARS_MAX });
  lines.on('error', () => {});
  return lines;
}

const LASTING = [LogFullError, LogUnavailableError, LogClockError];

interface Trouble {
  readonly fields: object & { readonly err: Error };
  readonly text: string;
}

function troubleOf([fields, text]: readonly unknown[]): Trouble | null {
  if (typeof fields !== 'object' || fields === null || !('err' in fields) || typeof text !== 'string')
    return null;
  const { err } = fields;
  return LASTING.some((lasting) => err instanceof lasting)
    ? { fields: { ...fields, err: err as Error }, text }
    : null;
}

/** Writes a line with additional fields. */
type Write = (more: { readonly leftOut?: number }) => void;

class LastingTroubles {
  /** Lines left out, by error and message: the last one, and their count. */
  readonly #leftOut = new Map<string, { count: number; write: Write }>();

  report({ fields: { err }, text }: Trouble, write: Write): void {
    const name = `${err.name} ${text}`;
    const last = this.#leftOut.get(name);
    if (last !== undefined) {
      last.count += 1;
      last.write = write;
      return;
    }
    write({});
    this.#wait(name, write);
  }

  #wait(name: string, write: Write): void {
    const last = { count: 0, write };
    this.#leftOut.set(name, last);
    const repeat = () => {
      this.#leftOut.delete(name);
      if (last.count === 0) return;
      last.write({ leftOut: last.count });
      this.#wait(name, last.write);
    };
    setTimeout(repeat, REPEAT_MS).unref();
  }
}
