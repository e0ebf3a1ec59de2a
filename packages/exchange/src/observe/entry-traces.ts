/** Follows the entry of a traced request beyond the edge: through the log, the engine and the frames. */

import type { Trace, Tracing } from '@venue/telemetry';

/** A traced request's entry on its way. */
export interface EntryTrace {
  readonly trace: Trace;
  readonly submittedMs: number;
}

/** Entries remembered until the next frames are sent; without stream clients there are none. */
const WAITING_FOR_FRAMES_MAX = 1_000;

interface Applied {
  readonly seq: number;
  readonly kind: string;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Times come from `performance.now()`. */
export class EntryTraces {
  readonly #tracing: Pick<Tracing, 'current'>;
  #flush = { entries: 0, startMs: 0, endMs: 0 };
  #awaitingFrames: { readonly trace: Trace; readonly appliedMs: number }[] = [];

  constructor(tracing: Pick<Tracing, 'current'>) {
    this.#tracing = tracing;
  }

  /** Starts following the entry of the current request; null if that is not traced. */
  submitted(): EntryTrace | null {
    const trace = this.#tracing.current();
    return trace === null ? null : { trace, submittedMs: performance.now() };
  }

  /** A batch is durable; its entries are applied next. */
  flushed({ entries, ms }: { readonly entries: number; readonly ms: number }): void {
    const endMs = performance.now();
    this.#flush = { entries, startMs: endMs - ms, endMs };
  }

  applied({ trace, submittedMs }: EntryTrace, { seq, kind, startedMs, endedMs }: Applied): void {
    const { entries, startMs, endMs } = this.#flush;
    const attributes = { 'venue.seq': seq, 'venue.kind': kind };
    trace.add('log.append', { startMs: submittedMs, endMs: startedMs }, attributes);
    trace.add('log.flush', { startMs, endMs }, { 'venue.entries': entries });
    trace.add('engine.apply', { startMs: startedMs, endMs: endedMs }, attributes);
    if (this.#awaitingFrames.length < WAITING_FOR_FRAMES_MAX)
      this.#awaitingFrames.push({ trace, appliedMs: endedMs });
  }

  /** The frames of the applied entries have been sent. */
  framesSent(clients: number): void {
    const endMs = performance.now();
    for (const { trace, appliedMs } of this.#awaitingFrames.splice(0))
      trace.add('stream.frames', { startMs: appliedMs, endMs }, { 'venue.clients': clients });
  }
}
