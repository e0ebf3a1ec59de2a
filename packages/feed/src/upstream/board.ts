/** Collects the upstreams' prices: checks them, and keeps the latest of each channel until it is posted. */

import { decimalToMicros, MICROS_PER_UNIT } from '@venue/protocol';
import type { Print } from '../tick.ts';
import { type DropReason, Drops } from './drops.ts';
import { type Clock, Freshness, SYSTEM_CLOCK } from './freshness.ts';
import { OutlierFilter } from './outliers.ts';

/** A price as an upstream sent it. */
export interface Observation {
  readonly symbol: string;
  readonly source: string;
  readonly price: number;
  /** Time of the price in unix milliseconds, as stated by the upstream. */
  readonly upstreamMs?: number | undefined;
  /** The upstream's id of the price; a second price with the same id is a repeat. */
  readonly id?: string | undefined;
}

export interface BoardOptions {
  /** Largest distance of a price from its channel's recent median before it must be confirmed. */
  readonly outlierBps: number;
  /** Age at which an upstream timestamp counts as history. */
  readonly ageMaxMs: number;
  readonly clock?: Clock;
}

/** Ids remembered per channel; upstreams repeat recent prices. */
const IDS_MAX = 1_000;
/** A channel without a price for this long is named in the report. */
const SILENT_MS = 60_000;

export class PriceBoard {
  readonly #options: BoardOptions;
  readonly #clock: Clock;
  readonly #freshness: Freshness;
  readonly #drops = new Drops();
  readonly #channels = new Map<string, Channel>();
  readonly #pending = new Map<string, Print>();
  /** When each expected channel last published a price; null for never. */
  readonly #publishedAtMs = new Map<string, number | null>();

  constructor(options: BoardOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#freshness = new Freshness(this.#clock, options.ageMaxMs);
  }

  /** Names a channel that should have prices, so that its silence is reported. */
  expect(symbol: string, source: string): void {
    this.#publishedAtMs.set(`${symbol} ${source}`, null);
  }

  /** The observed price, rounded to the micro, or null if it is implausible, which is counted. */
  judge(observation: Observation): number | null {
    const price = roundToMicro(observation.price);
    const fault = typeof price === 'string' ? price : this.#faultOf(observation, price);
    if (fault === null) return price as number;
    this.drop(fault);
    return null;
  }

  /** Queues a checked price for the next tick. */
  publish(print: Print): void {
    const key = `${print.symbol} ${print.source}`;
    this.#pending.set(key, print);
    this.#publishedAtMs.set(key, this.#clock.steadyMs());
  }

  /** Checks and publishes. */
  offer(observation: Observation): void {
    const price = this.judge(observation);
    const { symbol, source } = observation;
    if (price !== null) this.publish({ symbol, source, price });
  }

  drop(reason: DropReason): void {
    this.#drops.count(reason);
  }

  /** The latest prices not taken yet. */
  take(): Print[] {
    const prints = [...this.#pending.values()];
    this.#pending.clear();
    return prints;
  }

  /** The prices dropped since the last report, and the silent channels. */
  report(): string {
    const dropped = this.#drops.take() || 'nothing';
    const nowMs = this.#clock.steadyMs();
    const silent = [...this.#publishedAtMs]
      .filter(([, atMs]) => atMs === null || nowMs - atMs >= SILENT_MS)
      .map(([key]) => key);
    return `dropped: ${dropped}${silent.length === 0 ? '' : `; silent: ${silent.join(', ')}`}`;
  }

  #faultOf({ symbol, source, id, upstreamMs }: Observation, price: number): DropReason | null {
    const channel = this.#channelOf(`${symbol} ${source}`);
    if (id !== undefined && !channel.isNew(id)) return 'duplicate';
    if (upstreamMs !== undefined) {
      const fault = this.#freshness.fault(upstreamMs) ?? channel.orderFault(upstreamMs);
      if (fault !== null) return fault;
    }
    return channel.outliers.passes(price, this.#clock.steadyMs()) ? null : 'outlier';
  }

  #channelOf(key: string): Channel {
    const channel = this.#channels.get(key) ?? new Channel(this.#options.outlierBps);
    this.#channels.set(key, channel);
    return channel;
  }
}

/** The memory of one source of one symbol, which survives reconnections. */
class Channel {
  readonly outliers: OutlierFilter;
  readonly #ids = new Set<string>();
  #upstreamMs = Number.NEGATIVE_INFINITY;

  constructor(outlierBps: number) {
    this.outliers = new OutlierFilter(outlierBps);
  }

  isNew(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > IDS_MAX) this.#ids.delete(this.#ids.values().next().value!);
    return true;
  }

  // A published price was recent, so an upstream whose clock goes back is shut out for seconds, not forever.
  orderFault(upstreamMs: number): 'history' | null {
    if (upstreamMs < this.#upstreamMs) return 'history';
    this.#upstreamMs = upstreamMs;
    return null;
  }
}

// The venue keeps micros (NUM-1) and refuses finer prices (NUM-2): prices with eight decimals are rounded to the
// nearest micro, which makes no difference to any settlement.
function roundToMicro(price: number): number | DropReason {
  if (!Number.isFinite(price)) return 'not a number';
  if (price <= 0) return 'not positive';
  const rounded = Math.round(price * MICROS_PER_UNIT) / MICROS_PER_UNIT;
  return decimalToMicros(rounded) ? rounded : 'not representable';
}
