/** The machine a node runs on: it restarts the process whenever it ends, and can end it. */

import { FEATURE_LEVEL } from '@venue/engine';
import {
  LogClockError,
  LogDivergedError,
  LogFailedError,
  LogFullError,
  LogOpenError,
  LogUnavailableError,
} from '@venue/log';
import { SteadyClock } from '../../log/src/clock.ts';
import { GroupCommitLog } from '../../log/src/group-commit.ts';
import { PostgresStore } from '../../log/src/postgres/store.ts';
import type { LogStore } from '../../log/src/store.ts';
import type { Config } from '../src/config.ts';
import type { Appends } from './appends.ts';
import { connectTo, type LinkedOwner } from './connection.ts';
import type { SimDatabase } from './database.ts';
import { DiskStore, type SimDisk } from './disk.ts';
import { SimNode } from './node.ts';
import type { World } from './world.ts';

/** The machine's own disk, or a database shared with other machines. */
export type Storage = { readonly disk: SimDisk } | { readonly database: SimDatabase };

export interface MachineOptions {
  readonly name: string;
  readonly world: World;
  readonly config: Config;
  readonly storage: Storage;
  /** Records what the node appends to its log. */
  readonly appends: Appends;
  /** Unix ms when virtual time starts. */
  readonly baseMs: number;
}

const APPEND_TIMEOUT_MS = 5_000;
const OPEN_TIMEOUT_MS = 30_000;

export class Machine {
  readonly name: string;
  /** Error of the machine's clock. */
  clockOffsetMs = 0;
  readonly #options: MachineOptions;
  #process: LinkedOwner;
  #node: SimNode | null = null;
  #store: LogStore | null = null;
  #starts = 0;

  constructor(options: MachineOptions) {
    this.name = options.name;
    this.#options = options;
    this.#process = { ...NOBODY };
  }

  /** The node, while it answers requests. */
  get node(): SimNode | null {
    return this.#node;
  }

  get process(): LinkedOwner {
    return this.#process;
  }

  get isWriting(): boolean {
    return this.#store instanceof DiskStore && this.#store.isWriting;
  }

  start(): void {
    const { world, storage } = this.#options;
    this.#starts += 1;
    this.#process = { ...NOBODY, name: `${this.name}${this.#starts}`, isAlive: true };
    const process = this.#process;
    if ('disk' in storage) storage.disk.recover();
    world.after(0, () => this.#run(process).catch((error) => this.#end(process, error as Error)), process);
  }

  async #run(process: LinkedOwner): Promise<void> {
    const { world, config, appends } = this.#options;
    const log = await this.#openLog();
    appends.watch(log);
    const clock = () => this.#now();
    const onFatal = (error: Error) => this.#end(process, error);
    this.#node = await SimNode.start({ world, config, log, clock, onFatal });
  }

  async #openLog(): Promise<GroupCommitLog> {
    const { world, storage } = this.#options;
    // A process that starts with a wrong clock has nothing to compare it with.
    if ('disk' in storage) this.clockOffsetMs = 0;
    const steadyMs = () => world.nowMs;
    const clock = new SteadyClock({ wallMs: () => this.#now(), steadyMs, sinceBootMs: () => undefined });
    if ('disk' in storage) {
      const trueMs = () => this.#options.baseMs + world.nowMs;
      this.#store = new DiskStore(world, storage.disk, trueMs);
      return new GroupCommitLog(this.#store, { clock });
    }
    const store = new PostgresStore({
      targets: [{ name: 'database', connectionString: 'postgres://database' }],
      level: FEATURE_LEVEL,
      connect: connectTo(world, storage.database),
      clock,
      now: undefined,
      onWarning: () => {},
      requestTimeoutMs: APPEND_TIMEOUT_MS,
      single: false,
    });
    this.#store = store;
    await store.open(OPEN_TIMEOUT_MS);
    return new GroupCommitLog(store, { clock, appendTimeoutMs: APPEND_TIMEOUT_MS });
  }

  /** The process ended by itself. */
  #end(process: LinkedOwner, error: Error): void {
    if (!process.isAlive) return;
    const { world } = this.#options;
    if (!this.#isExpected(error)) world.fail(`${process.name} ended: ${error.stack}`);
    world.counts.add('node stopped by a failure of its own');
    this.#cease();
    world.after(world.random.between(50, 1_500), () => this.start(), MACHINES);
  }

  #isExpected(error: Error): boolean {
    const { storage } = this.#options;
    if (error instanceof LogClockError) return this.#node === null;
    // The only failure here is a failed flush, and no node starts on a full disk.
    if ('disk' in storage)
      return error instanceof LogFailedError || (error instanceof LogFullError && this.#node === null);
    if (error instanceof LogDivergedError) return storage.database.losses.length > 0;
    return error instanceof LogUnavailableError || error instanceof LogOpenError;
  }

  /** As SIGKILL does; restarts after `downMs`. */
  kill(downMs: number): void {
    const { world } = this.#options;
    if (!this.#process.isAlive) return;
    world.counts.add('node killed');
    if (this.isWriting) world.counts.add('node killed while a write was under way');
    this.#cease();
    world.after(downMs, () => this.start(), MACHINES);
  }

  #cease(): void {
    const { storage } = this.#options;
    this.#process.isAlive = false;
    this.#node = null;
    if ('database' in storage) storage.database.disconnectAll(this.#process);
  }

  /** As SIGSTOP and SIGCONT do. */
  pause(ms: number): void {
    const { world } = this.#options;
    if (!this.#process.isAlive) return;
    world.counts.add('node paused');
    this.#process.pausedUntilMs = world.nowMs + ms;
  }

  cutOff(ms: number): void {
    const { world } = this.#options;
    world.counts.add('node cut off from the database');
    this.#process.cutOffUntilMs = world.nowMs + ms;
  }

  /** As SIGTERM does, followed by an immediate start. */
  restart(): void {
    const { world } = this.#options;
    const node = this.#node;
    const process = this.#process;
    if (node === null || process.pausedUntilMs > world.nowMs) return;
    this.#node = null;
    world.after(
      0,
      () => {
        node.stop().then(
          () => {
            if (!process.isAlive) return;
            world.counts.add('node stopped cleanly and started again');
            this.#cease();
            world.after(10, () => this.start(), MACHINES);
          },
          (error) => this.#end(process, error as Error),
        );
      },
      process,
    );
  }

  #now(): number {
    return Math.floor(this.#options.baseMs + this.#options.world.nowMs + this.clockOffsetMs);
  }
}

const NOBODY: LinkedOwner = { name: 'nobody', isAlive: false, pausedUntilMs: 0, cutOffUntilMs: 0 };

/** The supervisor itself never fails. */
export const MACHINES: LinkedOwner = { ...NOBODY, name: 'machines', isAlive: true };
