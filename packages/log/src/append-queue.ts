import { LogUnavailableError } from './errors.ts';
import type { LogEntry, LogItem } from './log.ts';

/** Where the items of one call ended up. */
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

/** The greatest batch; a single call to `append` may exceed it, as it is never split. */
const BATCH_ITEMS_MAX = 8192;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** Appends on their way: those in the batch that is being made durable, and those waiting for the next one. */
export class AppendQueue {
  readonly #timeoutMs: number;
  #waiting: PendingAppend[] = [];
  #inFlight: readonly PendingAppend[] = [];
  /** Of the appends in flight, some may have been given up; the batch goes on. */
  #abandoned = false;
  #timer: NodeJS.Timeout | undefined;
  /** Called when nobody waits for anything any more. */
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

  /** Puts what waits into a batch, as much as fits, and gives its items. */
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

  /** Ends the batch in flight; what it gives tells its callers. */
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

  /** To be called once the callers of a batch have been told. */
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
      // They are in one transaction, so they have one fate.
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

/** The calls whose items went into one batch. */
export class Batch {
  readonly #appends: readonly PendingAppend[];

  constructor(appends: readonly PendingAppend[]) {
    this.#appends = appends;
  }

  /** `firstSeq` and `ts` are those of the batch; one without items has the place where the next entry will be. */
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

/** The items of a batch in their places. */
export function placeItems(items: readonly LogItem[], { firstSeq, ts }: Placed): LogEntry[] {
  return items.map(({ kind, body, local }, i) => ({ seq: firstSeq + i, ts, kind, body, local }));
}
