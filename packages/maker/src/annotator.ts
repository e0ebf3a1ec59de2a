/**
 * Keeps implied volatility and delta in the chain, which shows those of the venue's own maker alone (QTS-2), where that
 * maker's quotes stand in quote sets.
 */

import type { CompactQuote, Series } from '@venue/protocol';
import type { MakerWrites } from '@venue/sdk';
import type { SeriesValue } from './pricing.ts';
import { type Annotation, annotationOf, hasDrifted } from './quoter.ts';
import { QuoteSession } from './session.ts';

/** A chain is read by people: it need not follow every move. */
const ANNOTATE_EVERY_MS = 10_000;
/** Rows per push, because the venue applies a push as one entry of its log. */
const ROWS_PER_PUSH = 1_000;

export class Annotator {
  readonly #session: QuoteSession;
  readonly #sent = new Map<string, Annotation>();
  #atMs = 0;

  constructor(writes: MakerWrites) {
    this.#session = new QuoteSession(writes);
  }

  /** Registers the maker's session, which fences every earlier one (MM-1). */
  async open(): Promise<void> {
    await this.#session.open();
    this.#sent.clear();
    this.#atMs = 0;
  }

  /** Sends what has drifted, every few seconds; throws `FencedError` once another maker has taken over. */
  async annotate(values: Iterable<readonly [Series, SeriesValue]>, nowMs: number): Promise<void> {
    if (nowMs - this.#atMs < ANNOTATE_EVERY_MS) return;
    const due = [...values]
      .map(([series, value]) => ({ series, annotation: annotationOf(value, nowMs) }))
      .filter(({ series, annotation }) => hasDrifted(this.#sent.get(series.seriesId) ?? null, annotation))
      .slice(0, ROWS_PER_PUSH);
    if (due.length > 0) {
      const rows = due.map(({ series: { sid }, annotation: { iv, delta } }): CompactQuote => {
        return [sid, null, null, iv, delta];
      });
      await this.#session.push(rows);
      for (const { series, annotation } of due) this.#sent.set(series.seriesId, annotation);
    }
    // At a start there is more than one push, and a chain without greeks looks broken.
    if (due.length < ROWS_PER_PUSH) this.#atMs = nowMs;
  }
}
