/** All traders of a crowd, one action after the other. */

import { VenueClient } from '@venue/sdk';
import type { CrowdConfig } from './config.ts';
import { Market } from './market.ts';
import { Random } from './random.ts';
import { MOMENTUM_MOVE, STYLES, type Style } from './styles.ts';
import { type Done, Trader } from './trader.ts';
import { walletOf } from './wallets.ts';

const TIMEOUT_MS = 5_000;
/** The longest time in which nobody looks at the market. */
const LOOK_MS = 2_000;
/** A move brings the momentum crowd within this time. */
const RUSH_MS = 5_000;

export interface Counts {
  readonly actions: number;
  readonly orders: number;
  readonly fills: number;
  readonly resting: number;
  readonly declined: number;
}

interface Turn {
  readonly trader: Trader;
  atMs: number;
}

const NONE: Counts = { actions: 0, orders: 0, fills: 0, resting: 0, declined: 0 };

export class Crowd {
  readonly #config: CrowdConfig;
  readonly #random: Random;
  readonly #market: Market;
  readonly #turns: readonly Turn[];
  #counts: Counts = NONE;

  constructor(config: CrowdConfig, nowMs: number) {
    this.#config = config;
    this.#random = new Random(config.seed);
    this.#market = new Market(new VenueClient({ url: config.url, timeoutMs: TIMEOUT_MS }));
    this.#turns = Array.from({ length: config.traders }, (_, number) => ({
      trader: this.#trader(number),
      // Everybody comes once in the time of a round.
      atMs: nowMs + this.#random.between(0, config.traders * config.paceMs),
    }));
  }

  /** One look at the market, and the actions that are due. Throws what the venue throws. */
  async round(nowMs: number): Promise<void> {
    await this.#market.look(nowMs);
    this.#rush(nowMs);
    for (const turn of this.#turns) {
      if (turn.atMs > nowMs) continue;
      // Before the action, so that one that fails is not tried again at once.
      turn.atMs = nowMs + this.#random.logNormal(this.#config.traders * this.#config.paceMs);
      this.#count(await turn.trader.act(Date.now()));
    }
  }

  /** Milliseconds until the next round. */
  restMs(nowMs: number): number {
    const next = Math.min(...this.#turns.map(({ atMs }) => atMs));
    return Math.min(LOOK_MS, Math.max(50, next - nowMs));
  }

  /** Takes all resting orders off the books. */
  async leave(): Promise<void> {
    await Promise.allSettled(this.#turns.map(({ trader }) => trader.leave()));
  }

  /** Counts since the last call. */
  take(): Counts {
    const counts = this.#counts;
    this.#counts = NONE;
    return counts;
  }

  /** A move of the spot brings forward those who run after moves. */
  #rush(nowMs: number): void {
    if (Math.abs(this.#market.liveliest?.move ?? 0) < MOMENTUM_MOVE) return;
    for (const turn of this.#turns) {
      if (turn.trader.style !== 'momentum' || turn.atMs < nowMs + RUSH_MS) continue;
      // Not all of them see it.
      if (this.#random.chance(0.1)) turn.atMs = nowMs + this.#random.between(0, RUSH_MS);
    }
  }

  #trader(number: number): Trader {
    const { url, key, seed } = this.#config;
    const style: Style = STYLES[number % STYLES.length]!;
    const random = new Random(seed + 1 + number);
    return new Trader({
      ...{ url, style, random, market: this.#market },
      walletOf: (generation) => walletOf(key, number, generation),
    });
  }

  #count({ orders, fills, resting, reason }: Done): void {
    const before = this.#counts;
    this.#counts = {
      actions: before.actions + 1,
      orders: before.orders + orders,
      fills: before.fills + fills,
      resting: before.resting + resting,
      declined: before.declined + Number(reason !== undefined),
    };
  }
}
