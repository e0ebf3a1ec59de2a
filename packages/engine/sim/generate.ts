/**
 * A seeded flow of log entries, realistic and hostile. It uses the model to aim: at the touch, at positions to close,
 * at the limit of buying power. The same seed always gives the same entries.
 */

import type { Address, MicrosLevel } from '@venue/protocol';
import type { Command, CommandKind, Entry } from '../src/entry/command.ts';
import { FEATURE_LEVEL } from '../src/entry/feature-level.ts';
import type { VenueParameters } from '../src/state/parameters.ts';
import { asideShare, generateAside, generateVenueId } from './generate/asides.ts';
import { generateBatch, generateCalled, manyIds, manyTimed } from './generate/batches.ts';
import { generateCombos } from './generate/combos.ts';
import { generateContract, manyParked } from './generate/contracts.ts';
import {
  generateCommit,
  generateDeposit,
  generateRelease,
  generateWithdraw,
  manyWithdrawals,
  raceWithdrawal,
} from './generate/custody.ts';
import { deadlinesAhead } from './generate/deadlines.ts';
import { expire } from './generate/expiry.ts';
import { JUMP_STOPS, jumps } from './generate/jumps.ts';
import { generatePrints, generatePull, generateQuoteSession, generateQuotes } from './generate/market.ts';
import { momentsAhead } from './generate/moments.ts';
import { expiriesAt, opening, pause } from './generate/opening.ts';
import { generateCancel, generateCancelOrder, generateMargin, generateOrder } from './generate/orders.ts';
import { markParameters, parametersFor, reconfigured } from './generate/parameters.ts';
import { flood, generateApproval, generateRevocation, manyApprovals } from './generate/sessions.ts';
import { aheadOfSets, endsOfSets, generateOfSets, pushAtEnd } from './generate/sets.ts';
import { generateSettle, isByHand, OPERATORS } from './generate/settle.ts';
import { signed } from './generate/signing.ts';
import { generateSpread, squeezeSpread } from './generate/spreads.ts';
import { squeeze } from './generate/squeeze.ts';
import type { Step } from './generate/step.ts';
import { addressOf, type World } from './generate/world.ts';
import { openParked } from './model/parked.ts';
import type { Model } from './model.ts';
import { Random } from './random.ts';

/** 2026-01-01T00:00:00Z. */
const START_MS = 1_767_225_600_000;
const MINUTE_MS = 60_000;

/** Kinds of entry and their relative frequency. */
const KINDS: readonly (readonly [number, CommandKind])[] = [
  [52, 'order'],
  [14, 'quotes'],
  [0.5, 'quote-session'],
  [0.5, 'pull'],
  [9, 'prints'],
  [6, 'maintain'],
  [5, 'cancel-order'],
  [3, 'cancel'],
  [3, 'margin'],
  [4, 'approve'],
  [2, 'revoke'],
  [1, 'open'],
  [1, 'configure'],
  [2, 'settle'],
];
const KINDS_WITH_CUSTODY: typeof KINDS = [
  ...KINDS,
  [7, 'deposit'],
  [2, 'release'],
  [9, 'withdraw'],
  [4, 'commit'],
];

/** The shares of entries of each kind where it is its turn, in a venue that is not plain. */
const SHARES = { batches: 0.25, sets: 0.3, spreads: 0.25, combos: 0.1 } as const;

export class Generator {
  readonly #world: World;
  /** Entries to generate next instead of random ones; each is made when its turn comes. */
  readonly #planned: (() => Command)[];
  /** Randomness for asides: extra entries that leave the others unchanged. */
  readonly #asides: Random;
  readonly #contracts: Random;
  readonly #batches: Random;
  readonly #marks: Random;
  readonly #sets: Random;
  readonly #combos: Random;
  readonly #spreads: Random;
  readonly #jumps: Random;
  readonly #names: Random;
  /** True if its operators have names. */
  readonly #hasNames: boolean;
  /** True if a jump ever stops liquidation. */
  readonly #hasJumps: boolean;
  /** True if nobody sends batches or pushes to quote sets. */
  readonly #isPlain: boolean;
  readonly #newestLevel: number;
  #seq = 0;
  #ts = START_MS;

  /** The same seed gives a different venue with custody. The level is raised up to `newestLevel`. */
  constructor(seed: number, model: Model, hasCustody: boolean, newestLevel = FEATURE_LEVEL) {
    const random = new Random(seed);
    this.#asides = new Random(seed + 1_000_000);
    this.#contracts = new Random(seed + 2_000_000);
    this.#batches = new Random(seed + 3_000_000);
    this.#marks = new Random(seed + 5_000_000);
    this.#sets = new Random(seed + 4_000_000);
    this.#combos = new Random(seed + 7_000_000);
    this.#spreads = new Random(seed + 6_000_000);
    this.#jumps = new Random(seed + 25_000_000);
    this.#names = new Random(seed + 26_000_000);
    this.#hasNames = this.#names.chance(0.5);
    this.#hasJumps = this.#jumps.chance(0.5);
    this.#isPlain = this.#batches.chance(0.3);
    this.#newestLevel = newestLevel;
    const parameters = parametersFor(random, hasCustody);
    const traders = Array.from({ length: random.between(3, 5) }, (_, at) => addressOf('a', at));
    this.#world = { random, state: model.state, parameters, hasCustody, traders, now: () => this.#ts };
    this.#planned = opening(this.#world);
    if (random.chance(0.04))
      this.#planned.push(...manyApprovals(this.#world).map((command) => () => command));
  }

  /** The next entry, given the model's current state. */
  next(): Entry {
    const { command, ...entry } = this.#next();
    return { ...entry, command: this.#named(command) };
  }

  /** Who gave it, where the venue has names (OPS-2). */
  #named(command: Command): Command {
    if (!this.#hasNames || !isByHand(command)) return command;
    const by = this.#names.pick(OPERATORS);
    if (by === null) return command;
    return this.#names.chance(0.05)
      ? { kind: 'overstep', by, route: 'POST /v1/operator/payouts/void' }
      : { ...command, by };
  }

  #next(): Entry {
    this.#seq += 1;
    const { state, hasCustody } = this.#world;
    if (state.parameters !== null && this.#asides.chance(asideShare(state, hasCustody)))
      return { seq: this.#seq, ts: this.#ts, command: this.#aside() };
    const ofContract = this.#ofContract();
    if (ofContract !== null) return { seq: this.#seq, ts: this.#ts, command: ofContract };
    const ofSets = this.#ofSets();
    if (ofSets !== null)
      return { seq: this.#seq, ts: this.#ts, command: representable(this.#signed(ofSets)) };
    const ofCombos = this.#ofCombos();
    if (ofCombos !== null) return { seq: this.#seq, ts: this.#ts, command: this.#signed(ofCombos) };
    const ofBatches = this.#ofBatches();
    if (ofBatches !== null) return { seq: this.#seq, ts: this.#ts, command: this.#signed(ofBatches) };
    const ofSpreads = this.#ofSpreads();
    if (ofSpreads !== null) return { seq: this.#seq, ts: this.#ts, command: this.#signed(ofSpreads) };
    const ofMarks = this.#ofMarks();
    if (ofMarks !== null) return { seq: this.#seq, ts: this.#ts, command: ofMarks };
    const ofJumps = this.#ofJumps();
    if (ofJumps !== null) return { seq: this.#seq, ts: this.#ts, command: ofJumps };
    const make = this.#planned.shift() ?? this.#turningPoint() ?? this.#anything();
    // Making the command may advance the time.
    const command = representable(this.#signed(make()));
    return { seq: this.#seq, ts: this.#ts, command };
  }

  /** A post of a contract wallet or an answer of the attestor; null out of their turn. */
  #ofContract(): Command | null {
    const { state } = this.#world;
    if (state.parameters === null) return null;
    if (!this.#contracts.chance(openParked(state).length > 0 ? 0.1 : 0.02)) return null;
    if (this.#contracts.chance(0.02))
      this.#planned.unshift(...manyParked(state).map((command) => () => command));
    return generateContract(this.#contracts, state);
  }

  /** True once there is something to trade in a venue that is not plain. */
  #isInTrade(): boolean {
    const { state, traders } = this.#world;
    return !this.#isPlain && state.series.length > 0 && traders.length > 0;
  }

  /** Batches and what they need: the id of the venue. Null where it is not their turn. */
  #ofBatches(): Command | null {
    const random = this.#batches;
    if (!this.#isInTrade()) return null;
    if (random.chance(0.01)) return generateVenueId(random, this.#world.state);
    if (!random.chance(SHARES.batches)) return null;
    const world = { ...this.#world, random };
    if (random.chance(0.003)) this.#planned.unshift(...random.pick([manyTimed, manyIds])(world));
    const ahead = random.chance(0.15) ? deadlinesAhead(world, () => this.#atDeadline()) : [];
    if (ahead.length === 0) return random.chance(0.3) ? generateCalled(world) : generateBatch(world);
    const { atMs, command } = random.pick(ahead);
    this.#ts = atMs + random.between(-1, 1);
    return command();
  }

  /** A node's proposal for a deadline, or a tick that happens to come then (DUE-1). */
  #atDeadline(): Command {
    return this.#seq % 2 === 0 ? { kind: 'due' } : this.#command('maintain');
  }

  /** Another choice of where marks come from. Null where it is not its turn. */
  #ofMarks(): Command | null {
    const { traders, parameters } = this.#world;
    const random = this.#marks;
    if (!this.#isInTrade() || !random.chance(0.01)) return null;
    return this.#reconfigure({ ...parameters, ...markParameters(random, traders) });
  }

  /** A command of makers with sets; null where it is not their turn. */
  #ofSets(): Command | null {
    const random = this.#sets;
    if (!this.#isInTrade() || !random.chance(SHARES.sets)) return null;
    const world = { ...this.#world, random };
    if (random.chance(0.04)) this.#follow(aheadOfSets(world, () => this.#command('maintain')));
    const ends = endsOfSets(world).filter(({ atMs }) => atMs > this.#ts && atMs < this.#ts + 30_000);
    if (ends.length > 0 && random.chance(0.15)) {
      const { atMs, set } = random.pick(ends);
      this.#ts = Math.max(this.#ts, atMs + random.between(-1, 1));
      return pushAtEnd(world, set);
    }
    return generateOfSets(world);
  }

  /** Null where it is not their turn. */
  #ofCombos(): Command | null {
    const random = this.#combos;
    if (!this.#isInTrade() || !random.chance(SHARES.combos)) return null;
    return generateCombos({ ...this.#world, random });
  }

  /** Accounts in defined-risk mode. Null where it is not their turn. */
  #ofSpreads(): Command | null {
    const random = this.#spreads;
    if (!this.#isInTrade() || !random.chance(SHARES.spreads)) return null;
    const world = { ...this.#world, random };
    const isBusy = this.#planned.length > 0;
    if (isBusy && random.chance(0.7)) return null;
    if (!isBusy && random.chance(0.2)) this.#follow(squeezeSpread(world, () => this.#command('maintain')));
    return generateSpread(world);
  }

  /** A jump of a spot, or another bound of jumps. Null where it is not their turn. */
  #ofJumps(): Command | null {
    const { state, parameters } = this.#world;
    const random = this.#jumps;
    if (!this.#hasJumps || state.series.length === 0) return null;
    if (random.chance(state.parameters!.jumpStopBps === 0 ? 0.05 : 0.005))
      return this.#reconfigure({ ...parameters, jumpStopBps: random.pick(JUMP_STOPS) });
    if (this.#planned.length === 0 && random.chance(0.03))
      this.#follow(jumps({ ...this.#world, random }, () => this.#command('maintain')));
    return null;
  }

  #signed(command: Command): Command {
    if (!this.#world.hasCustody) return command;
    const [first, ...rest] = signed(this.#world, command);
    this.#planned.unshift(...rest);
    return first!();
  }

  #anything(): () => Command {
    const maintain = () => this.#command('maintain');
    const { random, hasCustody } = this.#world;
    const chance = random.unit();
    if (chance < 0.05) this.#follow(squeeze(this.#world, maintain));
    else if (chance < 0.08) this.#follow(expire(this.#world, maintain));
    else if (chance < 0.085) this.#follow(flood(this.#world));
    else if (hasCustody && chance < 0.115) this.#follow(raceWithdrawal(this.#world));
    else if (hasCustody && chance < 0.125) this.#follow(manyWithdrawals(this.#world));
    else this.#ts += this.#pause();
    const kinds = hasCustody ? KINDS_WITH_CUSTODY : KINDS;
    return this.#planned.shift() ?? (() => this.#command(random.weighted(kinds)));
  }

  /** Occasionally an entry right before, at or after an instant at which a rule changes. */
  #turningPoint(): (() => Command) | undefined {
    const { random } = this.#world;
    if (!random.chance(0.06)) return undefined;
    const ahead = momentsAhead(this.#world, () => this.#command('maintain'));
    if (ahead.length === 0) return undefined;
    const moment = random.pick(ahead);
    this.#ts = moment.atMs + random.between(-1, 1);
    return moment.command;
  }

  #follow(steps: readonly Step[]): void {
    for (const { afterMs = 0, atMs = 0, command } of steps) {
      this.#planned.push(() => {
        this.#ts = Math.max(this.#ts + afterMs, atMs);
        return command();
      });
    }
  }

  /** After a long pause the venue usually resumes as in production: prices, then a tick. */
  #pause(): number {
    const { random } = this.#world;
    const ms = pause(random);
    if (ms > MINUTE_MS && random.chance(0.7)) {
      this.#planned.push(
        () => this.#command('prints'),
        () => this.#command('maintain'),
        () => this.#command('quotes'),
      );
    }
    return ms;
  }

  #command(kind: CommandKind): Command {
    const world = this.#world;
    switch (kind) {
      case 'configure':
        return this.#reconfigure(reconfigured(world));
      case 'open':
        return { kind, address: this.#newcomer() };
      case 'approve':
        return generateApproval(world);
      case 'revoke':
        return generateRevocation(world);
      case 'order':
        return generateOrder(world);
      case 'cancel':
        return generateCancel(world);
      case 'cancel-order':
        return generateCancelOrder(world);
      case 'margin':
        return generateMargin(world);
      case 'prints':
        return generatePrints(world);
      case 'quote-session':
        return generateQuoteSession(world);
      case 'pull':
        return generatePull(world);
      case 'quotes':
        return generateQuotes(world);
      case 'maintain':
        return { kind, expiries: expiriesAt(world.random, this.#ts) };
      case 'settle':
        return generateSettle(world);
      case 'deposit':
        return generateDeposit(world);
      case 'release':
        return generateRelease(world);
      case 'withdraw':
        return generateWithdraw(world);
      case 'commit':
        return generateCommit(world);
      default:
        return this.#aside();
    }
  }

  #aside(): Command {
    return generateAside(this.#asides, this.#world, this.#newestLevel);
  }

  /** The world adopts the proposed parameters, except those that never change. */
  #reconfigure(proposed: VenueParameters): Command {
    const { version } = this.#world.state.parameters!;
    const parameters = { ...proposed, version };
    const { fundingMode, marginPremium } = this.#world.parameters;
    const isPossible = parameters.fundingMode === fundingMode && parameters.marginPremium === marginPremium;
    if (isPossible) this.#world.parameters = parameters;
    return { kind: 'configure', parameters };
  }

  #newcomer(): Address {
    const { random, traders } = this.#world;
    if (traders.length >= 7 || random.chance(0.5)) return random.pick(traders);
    traders.push(addressOf('a', traders.length));
    return traders.at(-1)!;
  }
}

/** Replaces unrepresentable numbers by 0, as the edge does. */
export function representable(command: Command): Command {
  if (command.kind !== 'quotes' && command.kind !== 'quote-set') return command;
  const exact = (amount: number) => (Number.isSafeInteger(amount) && amount > 0 ? amount : 0);
  const side = (levels: readonly MicrosLevel[] | null) =>
    levels?.map(([price, qty]): MicrosLevel => [exact(price), exact(qty)]) ?? null;
  return command.rows === null
    ? command
    : {
        ...command,
        rows: command.rows.map((row) => ({ ...row, bids: side(row.bids), asks: side(row.asks) })),
      };
}
