/** How fast the log grows, as operators plan disks: in bytes a day. */

/** Bytes of an entry in a batch of its own in a file, beside its body: rows of both tables, UUID, hash, and room. */
const ENTRY_BYTES = 250;
const DAY_MS = 86_400_000;
const BUCKET_MS = 60_000;
const BUCKETS = 60;

interface Bucket {
  readonly fromMs: number;
  bytes: number;
}

export class LogGrowth {
  readonly #monotonicMs: () => number;
  readonly #beganMs: number;
  readonly #buckets: Bucket[] = [];

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
    this.#beganMs = monotonicMs();
  }

  /** Counts entries that were appended, not those that a start replays. */
  add({ entries, bytes }: { readonly entries: number; readonly bytes: number }): void {
    const fromMs = Math.floor(this.#monotonicMs() / BUCKET_MS) * BUCKET_MS;
    const last = this.#buckets.at(-1);
    const grown = bytes + entries * ENTRY_BYTES;
    if (last?.fromMs === fromMs) last.bytes += grown;
    else this.#buckets.push({ fromMs, bytes: grown });
    if (this.#buckets.length > BUCKETS) this.#buckets.shift();
  }

  /** Bytes a day at the pace of the last hour; at least a minute is looked at, so that a start is no peak. */
  get bytesPerDay(): number {
    const nowMs = this.#monotonicMs();
    const fromMs = Math.max(this.#beganMs, Math.floor(nowMs / BUCKET_MS - BUCKETS + 1) * BUCKET_MS);
    const bytes = this.#buckets
      .filter((bucket) => bucket.fromMs + BUCKET_MS > fromMs)
      .reduce((sum, bucket) => sum + bucket.bytes, 0);
    return (bytes / Math.max(BUCKET_MS, nowMs - fromMs)) * DAY_MS;
  }
}
