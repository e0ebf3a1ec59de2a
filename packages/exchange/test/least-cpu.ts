/** Processor time of this thread, for limits that have to hold on a busy machine too. */

export interface LeastCpuOptions {
  /** A time below this is good enough. */
  readonly enoughMs: number;
  readonly attemptsMax: number;
}

/**
 * The least processor time of several attempts, in ms: other work on the machine only adds to it, and code is slow until
 * it is compiled.
 */
export function leastCpuMs({ enoughMs, attemptsMax }: LeastCpuOptions, act: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attemptsMax && least >= enoughMs; i++) {
    const before = process.threadCpuUsage();
    act();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
