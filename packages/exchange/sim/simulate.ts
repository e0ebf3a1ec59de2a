/** One simulation: a venue of real nodes on simulated machines under faults, and a verdict on the outcome. */

// Must come first, because it changes what the other imports see.
import './synchronous-zlib.ts';

import { createHash } from 'node:crypto';
import { CHAIN_ORIGIN } from '@venue/log';
import { Appends } from './appends.ts';
import { SimDatabase } from './database.ts';
import { SimDisk } from './disk.ts';
import { Counts } from './faults.ts';
import { MACHINES, Machine, type Storage } from './machine.ts';
import { Network } from './network.ts';
import { Traffic } from './traffic.ts';
import { configOf, firstMoment, type Kind } from './venue.ts';
import { type Evidence, faultsOf } from './verdict.ts';
import { installVirtualGlobals } from './virtual-globals.ts';
import { World } from './world.ts';

export interface Report {
  readonly seed: number;
  readonly kind: Kind;
  /** Hash of the log and of the answers to clients; the same seed gives the same trace. */
  readonly trace: string;
  readonly entries: number;
  readonly requests: number;
  readonly counts: ReadonlyMap<string, number>;
  /** The fault that was found, or null. */
  readonly failure: string | null;
}

/** Virtual time during which faults are injected, and then time to recover. */
const TROUBLE_MS = 40_000;
const HEALING_MS = 25_000;
const STEP_MS_MAX = 6 * 3_600_000;
const REST_STEP_MS = 5;
const REST_STEPS_MAX = 1_000;
const FAULTS_SHOWN = 5;

/** Every other seed runs two nodes on a shared database. */
export function kindOf(seed: number): Kind {
  return seed % 2 === 0 ? 'two nodes on a database' : 'one node on a disk';
}

/** Every third seed runs a venue in deposits mode. */
function hasCustody(seed: number): boolean {
  return seed % 3 === 0;
}

/**
 * Runs a seed. The same seed always gives the same report. Only one simulation may run per process, because it
 * replaces the timers and clocks of the whole process.
 *
 * @example (await simulate(7)).failure // null
 */
export async function simulate(seed: number): Promise<Report> {
  const counts = new Counts();
  const world = new World(seed, counts);
  const venue = new Venue(world, seed);
  {
    using _ = installVirtualGlobals(world);
    venue.begin();
    await world.run(TROUBLE_MS);
    venue.heal();
    await world.run(TROUBLE_MS + HEALING_MS);
    await venue.comeToRest();
  }
  const failure = world.failure ?? (await verdict(venue));
  return {
    seed,
    kind: kindOf(seed),
    trace: venue.trace,
    entries: venue.evidence.entries.length,
    requests: venue.network.sent.length,
    counts: new Map(counts.entries()),
    failure: failure === null ? null : `seed ${seed}, ${kindOf(seed)}:\n${failure}`,
  };
}

async function verdict(venue: Venue): Promise<string | null> {
  const missing = venue.machines.filter(({ node }) => node === null).map(({ name }) => name);
  if (missing.length > 0) return `${missing.join(' and ')} did not come back`;
  const faults: string[] = [];
  try {
    for await (const fault of faultsOf(venue.evidence)) faults.push(fault);
  } catch (error) {
    faults.push((error as Error).stack ?? String(error));
  }
  return faults.length === 0 ? null : faults.slice(0, FAULTS_SHOWN).join('\n');
}

class Venue {
  readonly database: SimDatabase;
  readonly machines: readonly Machine[];
  readonly network: Network;
  readonly #appends = new Appends();
  readonly #world: World;
  readonly #disk: SimDisk | null;
  readonly #traffic: Traffic;
  /** Two clocks wrong by the same amount would confirm each other. */
  #isClockOff = false;
  #isHealing = false;

  constructor(world: World, seed: number) {
    this.#world = world;
    const isShared = kindOf(seed) === 'two nodes on a database';
    const custody = hasCustody(seed);
    const config = configOf({ custody });
    const baseMs = firstMoment(world.random.between(15_000, 60_000));
    this.database = new SimDatabase(world, baseMs);
    this.#disk = isShared ? null : new SimDisk(world);
    const storage: Storage = this.#disk === null ? { database: this.database } : { disk: this.#disk };
    const names = isShared ? ['east', 'west'] : ['alone'];
    const appends = this.#appends;
    this.machines = names.map((name) => new Machine({ name, world, config, storage, appends, baseMs }));
    this.network = new Network(world, this.machines);
    const { network, machines } = this;
    this.#traffic = new Traffic({ world, network, machines, baseMs, custody, untilMs: TROUBLE_MS });
  }

  begin(): void {
    for (const machine of this.machines) machine.start();
    this.#world.after(500, () => this.#traffic.begin(), MACHINES);
    this.#trouble();
  }

  /** Injects one fault after another, sometimes overlapping. */
  #trouble(): void {
    const { random } = this.#world;
    const step = () => {
      if (this.#isHealing) return;
      this.#cause();
      this.#trouble();
    };
    this.#world.after(random.between(500, 4_500), step, MACHINES);
  }

  #cause(): void {
    const { random } = this.#world;
    const machine = random.pick(this.machines);
    const isShared = this.#disk === null;
    const act = random.weighted<() => void>([
      [3, () => this.#killAtWrite(machine)],
      [1, () => machine.kill(random.between(20, 3_000))],
      [2, () => machine.pause(random.chance(0.3) ? random.between(5_500, 9_000) : random.between(50, 3_000))],
      [1, () => machine.restart()],
      [2, () => this.#stepClock(machine)],
      [
        isShared ? 2 : 0,
        () => machine.cutOff(random.chance(0.4) ? random.between(6_000, 12_000) : random.between(100, 4_000)),
      ],
      [isShared ? 3 : 0, () => this.#failOver()],
      [isShared ? 0 : 1, () => this.#damageSnapshot(machine)],
    ]);
    act();
  }

  /** Waits briefly for a write, or in some cases a snapshot, to be in progress. */
  #killAtWrite(machine: Machine, isPatient = this.#world.random.chance(0.4), triesLeft = 6_000): void {
    const { random } = this.#world;
    const disk = this.#disk;
    const isWriting = disk === null ? this.database.hasAppendsUnderWay : machine.isWriting && !isPatient;
    const isSaving = disk !== null && disk.writingSnapshots > 0;
    if (isWriting || isSaving || triesLeft === 0) machine.kill(random.between(20, 3_000));
    else this.#world.after(0.7, () => this.#killAtWrite(machine, isPatient, triesLeft - 1), MACHINES);
  }

  /** Fails over during a commit or, if that moment comes, after nodes have read entries that the standby lacks. */
  #failOver(isPatient = this.#world.random.chance(0.5), triesLeft = 6_000): void {
    const { random } = this.#world;
    const { isReadAhead, hasAppendsUnderWay } = this.database;
    if (isReadAhead || (hasAppendsUnderWay && !isPatient) || triesLeft === 0)
      this.database.failOver(random.between(50, 4_000));
    else this.#world.after(0.7, () => this.#failOver(isPatient, triesLeft - 1), MACHINES);
  }

  #stepClock(machine: Machine): void {
    const { random, counts } = this.#world;
    if (this.#isClockOff) return;
    this.#isClockOff = true;
    const sizeMs = random.between(3_000, random.chance(0.5) ? 40_000 : STEP_MS_MAX);
    const stepMs = random.chance(0.5) ? sizeMs : -sizeMs;
    counts.add(stepMs < 0 ? 'clock stepped back' : 'clock stepped forward');
    const stepped = this.#disk === null && random.chance(0.5) ? this.database : machine;
    const beforeMs = stepped.clockOffsetMs;
    stepped.clockOffsetMs += stepMs;
    const setRight = () => {
      stepped.clockOffsetMs = beforeMs;
      this.#isClockOff = false;
    };
    this.#world.after(random.between(500, 8_000), setRight, MACHINES);
  }

  /** Also ends the process, because nobody reads a snapshot before the next start. */
  #damageSnapshot(machine: Machine): void {
    this.#disk?.damageSnapshot();
    machine.kill(100);
  }

  /** Stops injecting faults. */
  heal(): void {
    this.#isHealing = true;
    this.database.clockOffsetMs = 0;
    for (const machine of this.machines) machine.clockOffsetMs = 0;
    if (this.#disk !== null) this.#disk.rates = { slow: 0, flushFailure: 0, full: 0 };
    this.database.calm();
    for (const { process } of this.machines) {
      process.pausedUntilMs = 0;
      process.cutOffUntilMs = 0;
    }
  }

  /** Runs until no work is in progress between two maintenance ticks and every node has read the whole log. */
  async comeToRest(): Promise<void> {
    for (let step = 0; step < REST_STEPS_MAX && !this.#isAtRest; step++)
      await this.#world.run(this.#world.nowMs + REST_STEP_MS);
  }

  get #isAtRest(): boolean {
    if (this.database.hasCommitsUnderWay || this.machines.some(({ isWriting }) => isWriting)) return false;
    const { entries } = this.evidence;
    return this.machines.every(({ node }) => node?.state.seq === entries.length);
  }

  get evidence(): Evidence {
    const disk = this.#disk;
    const { losses } = this.database;
    const stored = disk ?? this.database;
    return {
      batches: disk ? disk.batches.map(({ record }) => record) : this.database.batches,
      entries: disk ? disk.batches.flatMap(({ entries }) => entries) : this.database.entries,
      snapshots: stored.snapshots,
      damagedSeqs: disk?.damagedSeqs ?? new Set(),
      losses,
      appends: this.#appends,
      sent: this.network.sent,
      nodes: new Map(this.machines.flatMap(({ name, node }) => (node ? [[name, node.state]] : []))),
      counts: this.#world.counts,
    };
  }

  get trace(): string {
    const hash = createHash('sha256').update(this.evidence.batches.at(-1)?.hash ?? CHAIN_ORIGIN.hash);
    for (const { received } of this.network.sent) hash.update(JSON.stringify(received));
    return hash.digest('hex');
  }
}
