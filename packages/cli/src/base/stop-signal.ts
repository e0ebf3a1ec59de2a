/** Stops the process (OWN-42): on a signal, or when its parent process ends. */

/** A process that has not stopped after this long is ended. */
const STOP_LIMIT_MS = 9_000;
/** Ctrl-C under npm arrives twice, from the terminal and from npm; the echo comes this soon. */
const ECHO_MS = 100;

/**
 * Sends this process its own SIGTERM when its parent is gone, so that nothing is orphaned even if the parent was
 * killed. Does nothing for a process that was started by hand.
 */
export function stopWithParent(): void {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Only the end of the channel matters; it must not keep the process alive.
  process.channel?.unref();
  // Writing to a parent that no longer reads is not a fault of this process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/**
 * Keeps this process alive until an echo of its signal has come, because a process that is shutting down handles
 * none.
 */
export function awaitEcho(): void {
  setTimeout(() => {}, ECHO_MS);
}

/** Aborts on SIGTERM or SIGINT; repeats do nothing. A process that ignores it is ended after some seconds. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) return;
    stop.abort();
    awaitEcho();
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return stop.signal;
}
