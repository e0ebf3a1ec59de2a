/**
 * A hostile flow of a few accounts in defined-risk mode: they open, close, amend and promise the legs of spreads around
 * jumps, absurd marks, liquidation and settlement. The same seed always gives the same entries.
 */

import type { Command, Entry } from '../src/entry/command.ts';
import { FEATURE_LEVEL } from '../src/entry/feature-level.ts';
import type { VenueParameters } from '../src/state/parameters.ts';
import { generateBatch } from './generate/batches.ts';
import { expire } from './generate/expiry.ts';
import { firstPrints, generatePrints } from './generate/market.ts';
import { generateReducer } from './generate/orders.ts';
import { markParameters, parametersFor } from './generate/parameters.ts';
import { generateSettle } from './generate/settle.ts';
import {
  generateSpread,
  nakedShort,
  pairOf,
  quotesOf,
  seriesOfOne,
  spendAll,
  spreadBatch,
  stakeAll,
} from './generate/spreads.ts';
import { absurdAsk, jump, shortQuotes } from './generate/squeeze.ts';
import type { Step } from './generate/step.ts';
import { addressOf, type World } from './generate/world.ts';
import { representable } from './generate.ts';
import type { ModelAccount } from './model/records.ts';
import type { Model } from './model.ts';
import { Random } from './random.ts';

/** 2026-01-01T00:00:00Z, an hour before a cutoff. */
const START_MS = 1_767_225_600_000;
const DAY_S = 24 * 3_600;
const FIRST_EXPIRY_TS = START_MS / 1_000 + 3_600;
const TICK_MS = 5_000;
const TRADERS = 4;

export class SpreadFlow {
  readonly #world: World;
  readonly #planned: (() => Command)[];
  #seq = 0;
  #ts = START_MS;

  constructor(seed: number, model: Model) {
    const random = new Random(seed + 9_000_000);
    const traders = Array.from({ length: TRADERS }, (_, at) => addressOf('a', at));
    const parameters: VenueParameters = {
      ...parametersFor(random, false),
      ...markParameters(random, traders),
      ...({ version: FEATURE_LEVEL, fundingMode: 'paper', strikesPerSide: 2 } as const),
    };
    this.#world = { random, state: model.state, parameters, hasCustody: false, traders, now: () => this.#ts };
    this.#planned = this.#opening();
  }

  next(): Entry {
    this.#seq += 1;
    if (this.#planned.length === 0) this.#follow(this.#anything());
    const command = representable(this.#planned.shift()!());
    return { seq: this.#seq, ts: this.#ts, command };
  }

  /** All but one of the accounts come to the mode. */
  #opening(): (() => Command)[] {
    const { parameters, traders } = this.#world;
    return [
      () => ({ kind: 'configure', parameters, venue: '0'.repeat(32) }),
      ...traders.map((address) => (): Command => ({ kind: 'open', address })),
      () => firstPrints(this.#world),
      () => this.#maintain(),
      ...traders.map((account) => (): Command => ({ kind: 'margin', account, enabled: true })),
      ...traders.slice(1).map(
        (account) => (): Command => ({
          kind: 'batch',
          account,
          actions: [{ type: 'margin-mode', mode: 'defined-risk' }],
        }),
      ),
    ];
  }

  #anything(): Step[] {
    const world = this.#world;
    const { random, state } = world;
    const all = seriesOfOne(world, []);
    if (all.length === 0) return [this.#tick()];
    const account = random.pick(state.accounts.filter(({ role }) => role === 'trader')) as ModelAccount;
    const step = (command: () => Command): Step => ({ afterMs: random.between(0, 900), command });
    return random.weighted<() => Step[]>([
      [
        20,
        () => [step(() => quotesOf(world, all)), step(() => spreadBatch(world, account, pairOf(world, all)))],
      ],
      [14, () => [step(() => generateSpread(world))]],
      [7, () => [step(() => nakedShort(world, account, all))]],
      [8, () => [step(() => jump(world, random.chance(0.1)))]],
      [5, () => [step(() => absurdAsk(world))]],
      [5, () => [step(() => shortQuotes(world))]],
      [5, () => [step(() => generateBatch(world, account.address!))]],
      [4, () => [step(() => generateReducer(world))]],
      [5, () => [step(() => generatePrints(world)), this.#tick(), this.#tick()]],
      [8, () => [this.#tick()]],
      [2, () => expire(world, () => this.#maintain())],
      [3, () => [step(() => generateSettle(world)), step(() => spendAll(world))]],
      [6, () => stakeAll(world, account, all)],
    ])();
  }

  #tick(): Step {
    return { afterMs: TICK_MS, command: () => this.#maintain() };
  }

  #maintain(): Command {
    const past = Math.max(0, Math.ceil((this.#ts / 1_000 - FIRST_EXPIRY_TS) / DAY_S));
    const expiries = [0, 1].map((day) => FIRST_EXPIRY_TS + (past + day) * DAY_S);
    return { kind: 'maintain', expiries };
  }

  #follow(steps: readonly Step[]): void {
    for (const { afterMs = 0, atMs = 0, command } of steps) {
      this.#planned.push(() => {
        this.#ts = Math.max(this.#ts + afterMs, atMs);
        return command();
      });
    }
  }
}
