import { LogUnavailableError } from './errors.ts';
import type { LogEntry, LogItem } from './log.ts';

/** Where the items of one `append` call were stored. */
export interface Placed {
  readonly firstSeq: number;
  readonly ts: number;
}

interface PendingAppend {
  readonly items: readonly LogItem[];
  readonly bytes: number;
  readonly deadlineMs: number;
  readonly resolve: (placed: Placed) => void;
  readonly reject: (error: Error) => void;
}

/** Largest batch. A single `append` call may exceed it because it is never split. */
const BATCH_ITEMS_MAX = 8192;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** Pending appends: those in the batch being made durable, and those waiting for the next batch. */
export class AppendQueue {
  readonly #timeoutMs: number;
  #waiting: PendingAppend[] = [];
  #inFlight: readonly PendingAppend[] = [];
  /** True once an append in flight has timed out. The batch itself carries on. */
  #abandoned = false;
  #timer: NodeJS.Timeout | undefined;
  /** Called when no append is pending. */
  #onIdle: (() => void) | undefined;

  /** `timeoutMs` is how long an append may stay pending. */
  constructor(timeoutMs = Number.POSITIVE_INFINITY) {
    this.#timeoutMs = timeoutMs;
  }

  push(items: readonly LogItem[]): Promise<Placed> {
    const bytes = items.reduce((sum, item) => sum + item.body.byteLength, 0);
    const deadlineMs = performance.now() + this.#timeoutMs;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, bytes, deadlineMs, resolve, reject });
      this.#watch();
    });
  }

  get isInFlight(): boolean {
    return this.#inFlight.length > 0;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Moves as many waiting appends as fit into a new batch, and returns the batch's items. */
  take(): readonly LogItem[] {
    let count = 0;
    let items = 0;
    let bytes = 0;
    for (const append of this.#waiting) {
      items += append.items.length;
      bytes += append.bytes;
      if (count > 0 && (items > BATCH_ITEMS_MAX || bytes > BATCH_BYTES_MAX)) break;
      count += 1;
    }
    this.#inFlight = this.#waiting.splice(0, count);
    this.#abandoned = false;
    return this.#inFlight.flatMap((append) => append.items);
  }

  /** Ends the batch in flight and returns it, to resolve its callers. */
  land(): Batch {
    const batch = new Batch(this.#inFlight);
    this.#inFlight = [];
    return batch;
  }

  /** Rejects everything. */
  fail(error: Error): void {
    for (const append of [...this.#inFlight, ...this.#waiting]) append.reject(error);
    this.#inFlight = [];
    this.#waiting = [];
    this.tellIfIdle();
  }

  /** Resolves once every append has been resolved or rejected. */
  async idle(): Promise<void> {
    if (!this.#isIdle()) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    clearTimeout(this.#timer);
  }

  /** Call this after resolving the callers of a batch. */
  tellIfIdle(): void {
    if (this.#isIdle()) this.#onIdle?.();
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && (this.#inFlight.length === 0 || this.#abandoned);
  }

  #watch(): void {
    if (this.#timer !== undefined || this.#timeoutMs === Number.POSITIVE_INFINITY) return;
    const oldest = this.#abandoned || !this.isInFlight ? this.#waiting[0] : this.#inFlight[0];
    if (oldest === undefined) return;
    this.#timer = setTimeout(() => this.#giveUp(), Math.max(1, oldest.deadlineMs - performance.now()));
    this.#timer.unref();
  }

  #giveUp(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    const isLate = ({ deadlineMs }: PendingAppend) => deadlineMs <= nowMs;
    if (this.#inFlight.some(isLate) && !this.#abandoned) {
      // They share a transaction, so they share its fate.
      for (const append of this.#inFlight) append.reject(new LogUnavailableError('unknown'));
      this.#abandoned = true;
    }
    const late = this.#waiting.filter(isLate);
    this.#waiting = this.#waiting.filter((append) => !isLate(append));
    for (const append of late) append.reject(new LogUnavailableError('none'));
    this.#watch();
    this.tellIfIdle();
  }
}

/** The `append` calls whose items went into one batch. */
export class Batch {
  readonly #appends: readonly PendingAppend[];

  constructor(appends: readonly PendingAppend[]) {
    this.#appends = appends;
  }

  /** `firstSeq` and `ts` are those of the batch; for a batch without items, `firstSeq` is where the next entry will go. */
  resolve({ firstSeq, ts }: Placed): void {
    let seq = firstSeq;
    for (const { items, resolve } of this.#appends) {
      resolve({ firstSeq: seq, ts });
      seq += items.length;
    }
  }

  reject(error: Error): void {
    for (const append of this.#appends) append.reject(error);
  }
}

/** The items of a batch as entries, with their numbers and time. */
export function placeItems(items: readonly LogItem[], { firstSeq, ts }: Placed): LogEntry[] {
  return items.map(({ kind, body, local }, i) => ({ seq: firstSeq + i, ts, kind, body, local }));
}
