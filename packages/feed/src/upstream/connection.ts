/** Holds a connection to an upstream: opens it again, ever more patiently, whenever it is lost. */

import { Backoff, type BackoffOptions, pause } from '@venue/sdk';

/** What a listener tells of its connection. */
export interface Hooks {
  /** The upstream sent something that it alone can send. */
  alive(): void;
}

export interface ConnectionOptions {
  /** What the lines begin with. */
  readonly name: string;
  /**
   * Opens one connection and resolves with the reason, or rejects, when it is lost. Closes it when the signal says
   * so.
   */
  readonly listen: (signal: AbortSignal, hooks: Hooks) => Promise<string>;
  /** A connection that says nothing for so long is lost. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** Takes one line for a person to read. */
  readonly log: (line: string) => void;
  readonly backoff?: BackoffOptions;
}

const BACKOFF = { firstMs: 500, limitMs: 30_000 };
/** A connection that lasted this long was a good one; the next is tried soon after it. */
const STEADY_MS = 30_000;

/** Runs until the signal says stop; never throws for what the upstream does. */
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

/** One connection from its start to its loss; resolves with what ended it. */
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

/** What went wrong, in one short line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${text}${cause}`.replace(/\s+/g, ' ').slice(0, 200);
}
