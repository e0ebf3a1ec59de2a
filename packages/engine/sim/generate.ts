/**
 * A seeded flow of log entries, realistic and hostile. It uses the model to aim: at the touch, at positions to close,
 * at the limit of buying power. The same seed always gives the same entries.
 */

import type { Address, MicrosLevel } from '@venue/protocol';
import type { Command, CommandKind, Entry } from '../src/entry/command.ts';
import {
  BATCH_LEVEL,
  CALLS_LEVEL,
  CUSTODY_LEVEL,
  FEATURE_LEVEL,
  FIRST_FEATURE_LEVEL,
  parametersAt,
  SETS_LEVEL,
  SPREADS_LEVEL,
} from '../src/entry/feature-level.ts';
import { generateBatch, generateCalled, manyIds, manyTimed } from './generate/batches.ts';
import { generateCombos } from './generate/combos.ts';
import { generateContract, manyParked } from './generate/contracts.ts';
import {
  funding,
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
import { asideShare, generateAside, generateVenueId } from './generate/levels.ts';
import {
  firstPrints,
  generatePrints,
  generatePull,
  generateQuoteSession,
  generateQuotes,
} from './generate/market.ts';
import { momentsAhead } from './generate/moments.ts';
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
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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

/** The kinds of entries that a load may contain: seeds that failed before there was one of them must stay as they were. */
export interface Has {
  readonly batches: boolean;
  readonly sets: boolean;
  /** The share of entries by accounts in defined-risk mode and around them. */
  readonly spreads: number;
  /** The share of entries with combos. */
  readonly combos: number;
  readonly jumps: boolean;
}

export const HAS_ALL: Has = { batches: true, sets: true, spreads: 0.25, combos: 0.1, jumps: true };
/** Hardly anything else. */
export const MOSTLY_SPREADS: Has = { ...HAS_ALL, spreads: 0.7 };

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
  readonly #hasBatches: boolean;
  readonly #hasSets: boolean;
  readonly #spreadShare: number;
  readonly #comboShare: number;
  /** Whether the venue soon reads batches; others stay at earlier feature levels for longer. */
  readonly #isModern: boolean;
  /** Venues of every other seed stay below the newest level. */
  readonly #newestLevel: number;
  #seq = 0;
  #ts = START_MS;

  /** The same seed gives a different venue with custody. */
  constructor(seed: number, model: Model, hasCustody: boolean, has: Has = HAS_ALL) {
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
    this.#hasJumps = has.jumps && this.#jumps.chance(0.5);
    this.#hasBatches = has.batches;
    this.#hasSets = has.batches && has.sets;
    this.#spreadShare = this.#hasSets ? has.spreads : 0;
    this.#comboShare = this.#hasSets ? has.combos : 0;
    this.#isModern = this.#batches.chance(hasCustody ? 0.5 : 0.7);
    this.#newestLevel = seed % 2 === 1 ? FEATURE_LEVEL : SPREADS_LEVEL;
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

  /** Who gave it, where the venue has names and reads them (OPS-2). */
  #named(command: Command): Command {
    const level = this.#world.state.parameters?.version ?? 0;
    if (!this.#hasNames || level < CALLS_LEVEL || !isByHand(command)) return command;
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
      return { seq: this.#seq, ts: this.#ts, command: generateAside(this.#asides, state, hasCustody) };
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

  /** What contract wallets post and the attestor answers; null where it is not their turn. */
  #ofContract(): Command | null {
    const { state } = this.#world;
    if ((state.parameters?.version ?? 0) < CUSTODY_LEVEL) return null;
    if (!this.#contracts.chance(openParked(state).length > 0 ? 0.1 : 0.02)) return null;
    if (this.#contracts.chance(0.02))
      this.#planned.unshift(...manyParked(state).map((command) => () => command));
    return generateContract(this.#contracts, state);
  }

  /** Batches and what they need: the feature level, and the id of the venue. Null where it is not their turn. */
  #ofBatches(): Command | null {
    const { state, traders } = this.#world;
    const random = this.#batches;
    const level = state.parameters?.version ?? 0;
    if (!this.#hasBatches || level === 0 || state.series.length === 0) return null;
    if (level < BATCH_LEVEL) {
      const raises = this.#isModern && random.chance(0.1);
      return raises ? { kind: 'configure', parameters: { version: BATCH_LEVEL } } : null;
    }
    if (random.chance(0.01)) return generateVenueId(random, level);
    if (!random.chance(0.25) || traders.length === 0) return null;
    const world = { ...this.#world, random };
    if (random.chance(0.003)) this.#planned.unshift(...random.pick([manyTimed, manyIds])(world));
    const ahead = random.chance(0.15) ? deadlinesAhead(world, () => this.#atDeadline()) : [];
    if (ahead.length === 0) return random.chance(0.3) ? generateCalled(world) : generateBatch(world);
    const { atMs, command } = random.pick(ahead);
    this.#ts = atMs + random.between(-1, 1);
    return command();
  }

  /** What a node proposes for a deadline, or a tick that happens to come then (DUE-1). */
  #atDeadline(): Command {
    const due = { kind: 'due' } as const;
    const level = this.#world.state.parameters?.version ?? 0;
    return this.#seq % 2 === 0 && level >= CALLS_LEVEL ? due : this.#command('maintain');
  }

  /** The level of marks, and another choice of where they come from. Null where it is not their turn. */
  #ofMarks(): Command | null {
    const { state, traders, parameters } = this.#world;
    const random = this.#marks;
    if (!this.#isModern || !this.#hasBatches || state.parameters === null || state.series.length === 0)
      return null;
    const level = state.parameters.version;
    if (level < SETS_LEVEL)
      return random.chance(0.02) ? { kind: 'configure', parameters: { version: SETS_LEVEL } } : null;
    if (state.parameters.riskMark !== undefined && !random.chance(0.005)) return null;
    this.#world.parameters = { ...parameters, ...markParameters(random, traders) };
    return { kind: 'configure', parameters: { ...this.#world.parameters, version: level } };
  }

  /** What makers with sets do, and the level that they need. Null where it is not their turn. */
  #ofSets(): Command | null {
    const { state, traders } = this.#world;
    const random = this.#sets;
    const level = state.parameters?.version ?? 0;
    if (!this.#hasSets || level < BATCH_LEVEL || state.series.length === 0) return null;
    if (level < SETS_LEVEL) {
      const raises = this.#isModern && random.chance(0.2);
      return raises ? { kind: 'configure', parameters: { version: SETS_LEVEL } } : null;
    }
    if (!random.chance(0.3) || traders.length === 0) return null;
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

  /** Combos, and the level that they need. Null where it is not their turn. */
  #ofCombos(): Command | null {
    const { state, traders } = this.#world;
    const random = this.#combos;
    const level = state.parameters?.version ?? 0;
    const share = this.#comboShare;
    if (share === 0 || level < SETS_LEVEL || state.series.length === 0) return null;
    if (level < SPREADS_LEVEL) {
      const raises = this.#isModern && random.chance(0.2);
      return raises ? { kind: 'configure', parameters: { version: this.#newestLevel } } : null;
    }
    if (!random.chance(share) || traders.length === 0) return null;
    return generateCombos({ ...this.#world, random });
  }

  /** Accounts in defined-risk mode, and the level that it needs. Null where it is not their turn. */
  #ofSpreads(): Command | null {
    const { state, traders } = this.#world;
    const random = this.#spreads;
    const level = state.parameters?.version ?? 0;
    const share = this.#spreadShare;
    if (share === 0 || level === 0 || state.series.length === 0 || traders.length === 0) return null;
    if (level < SETS_LEVEL && share <= HAS_ALL.spreads) return null;
    if (level < SPREADS_LEVEL)
      return random.chance(share / 2)
        ? { kind: 'configure', parameters: { version: this.#newestLevel } }
        : null;
    if (!random.chance(share)) return null;
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
    const { version = 0, jumpStopBps } = state.parameters ?? {};
    if (!this.#hasJumps || version < CALLS_LEVEL || state.series.length === 0) return null;
    if (random.chance(jumpStopBps === undefined ? 0.2 : 0.005)) {
      this.#world.parameters = { ...parameters, jumpStopBps: random.pick(JUMP_STOPS) };
      return { kind: 'configure', parameters: { ...this.#world.parameters, version } };
    }
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
        return this.#reconfigure();
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
        return generateAside(this.#asides, world.state, world.hasCustody);
    }
  }

  /** The world adopts the proposed parameters, except those that never change. */
  #reconfigure(): Command {
    const version = this.#world.state.parameters?.version ?? FIRST_FEATURE_LEVEL;
    const parameters = parametersAt(version, reconfigured(this.#world));
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

/** Every venue opens with parameters, wallets, first prices, listings, some quotes, keys and margin. */
function opening(world: World): (() => Command)[] {
  const { parameters, traders, random, hasCustody } = world;
  const margined = traders.filter(() => random.chance(0.7));
  return [
    () => ({ kind: 'configure', parameters: parametersAt(parameters.version, parameters) }),
    ...traders.flatMap((address) =>
      hasCustody ? funding(world, address) : [(): Command => ({ kind: 'open', address })],
    ),
    () => firstPrints(world),
    () => ({ kind: 'maintain', expiries: expiriesAt(random, world.now()) }),
    ...[1, 2, 3].map(() => () => generateQuotes(world)),
    ...traders.map(() => () => generateApproval(world)),
    ...margined.map((account) => (): Command => ({ kind: 'margin', account, enabled: true })),
  ];
}

/** Usually short; occasionally long enough for prices to go stale, series to expire or sessions to end. */
function pause(random: Random): number {
  return random.weighted([
    [60, random.between(0, 300)],
    [25, random.between(300, 4_000)],
    [10, 5 * SECOND_MS],
    [2, 59_999 + random.between(0, 2)],
    [1.5, 20 * MINUTE_MS],
    [0.5, random.between(1, 3) * DAY_MS],
  ]);
}

/** The next two instants of a grid of expiries; occasionally one that has just passed, as from a slow proposer. */
function expiriesAt(random: Random, nowMs: number): number[] {
  const grid: number[] = [];
  const grain = 15 * MINUTE_MS;
  const first = Math.floor(nowMs / grain) + (random.chance(0.9) ? 1 : 0);
  grid.push(first * grain, (Math.floor(nowMs / DAY_MS) + 2) * DAY_MS);
  return [...new Set(grid)].map((ms) => ms / SECOND_MS);
}
