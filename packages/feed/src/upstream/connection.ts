/** Keeps a connection to an upstream: reopens it, at growing intervals, whenever it is lost. */

import { Backoff, type BackoffOptions, pause } from '@venue/sdk';

/** Signals from a listener about its connection. */
export interface Hooks {
  /** Call when the upstream sent something that only it can send. */
  alive(): void;
}

export interface ConnectionOptions {
  /** Prefix of the log lines. */
  readonly name: string;
  /**
   * Opens one connection and resolves with the reason, or rejects, when it is lost. Closes it when the signal aborts.
   */
  readonly listen: (signal: AbortSignal, hooks: Hooks) => Promise<string>;
  /** A connection silent for this long is lost. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
  readonly backoff?: BackoffOptions;
}

const BACKOFF = { firstMs: 500, limitMs: 30_000 };
/** After a connection that lasted this long the first retry comes soon. */
const STEADY_MS = 30_000;

/** Runs until the signal aborts; never throws for a fault of the upstream. */
export async function keepConnected(options: ConnectionOptions): Promise<void> {
  const { name, signal, log } = options;
  const backoff = new Backoff(options.backoff ?? BACKOFF);
  while (!signal.aborted) {
    const startedMs = performance.now();
    const reason = await once(options);
    if (signal.aborted) return;
    if (performance.now() - startedMs > STEADY_MS) backoff.reset();
    const waitMs = Math.round(backoff.next());
    log(`${name}: lost (${reason}), reconnecting in ${waitMs} ms`);
    await pause(waitMs, signal);
  }
}

/** One connection from its start to its loss; resolves with the reason. */
async function once({ name, listen, silenceMs, signal, log }: ConnectionOptions): Promise<string> {
  const end = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const onStop = () => resolve('stopped');
  signal.addEventListener('abort', onStop);
  const watchdog = setTimeout(() => resolve(`no message for ${silenceMs / 1_000} s`), silenceMs);
  let isConnected = false;
  const alive = () => {
    watchdog.refresh();
    if (!isConnected && !end.signal.aborted) log(`${name}: connected`);
    isConnected = true;
  };
  const listening = listen(end.signal, { alive }).catch(reasonOf);
  const reason = await Promise.race([listening, ended]);
  end.abort();
  clearTimeout(watchdog);
  signal.removeEventListener('abort', onStop);
  // Its sockets are closed before the next connection opens, and before the process says that it stopped.
  await listening;
  return reason;
}

/** Describes an error in one short line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${text}${cause}`.replace(/\s+/g, ' ').slice(0, 200);
}
