/** Records when the store last confirmed that all its entries had been delivered. */
export class Contact {
  #atMs = performance.now();
  readonly #awaited: { readonly seq: number; readonly sentMs: number }[] = [];

  /** Monotonic ms since then. */
  get ageMs(): number {
    return performance.now() - this.#atMs;
  }

  /** When asked at `sentMs`, the store held entries up to `seq`; `deliveredSeq` have been delivered by now. */
  note({ seq, sentMs }: { seq: number; sentMs: number }, deliveredSeq: number): void {
    this.#awaited.push({ seq, sentMs });
    this.deliver(deliveredSeq);
  }

  /** A node that lags but keeps up with the load counts as in touch up to the entry it has reached. */
  deliver(deliveredSeq: number): void {
    while (this.#awaited.length > 0 && this.#awaited[0]!.seq <= deliveredSeq) {
      this.#atMs = Math.max(this.#atMs, this.#awaited.shift()!.sentMs);
    }
  }
}
