/**
 * A connection to the simulated database. Everything above it is the real PostgreSQL store. Statements and answers
 * are delayed and lost.
 */

import {
  type Connect,
  type Connection,
  ConnectionLostError,
  type ConnectionOptions,
  type Row,
  type Run,
  type Statement,
} from '../../log/src/postgres/connection.ts';
import { Turns } from '../../log/src/postgres/turns.ts';
import type { Answer, ServerSide, SimDatabase } from './database.ts';
import type { Owner, World } from './world.ts';

/** A process that can be cut off from the database. */
export interface LinkedOwner extends Owner {
  /** Virtual ms. */
  cutOffUntilMs: number;
}

/** Probability of each fault, per append. */
const LOST_BEFORE = 0.008;
const LOST_AFTER = 0.008;
const LATE = 0.004;

/** Connects a store to the simulated database. */
export function connectTo(world: World, database: SimDatabase): Connect {
  return (options) => SimConnection.open({ ...options, world, database });
}

interface SimConnectionOptions extends ConnectionOptions {
  readonly world: World;
  readonly database: SimDatabase;
}

class SimConnection implements Connection, ServerSide {
  readonly owner: LinkedOwner;
  readonly level: number | undefined;
  readonly lost: Promise<string>;
  isOpen = true;
  isListening = false;
  readonly #world: World;
  readonly #database: SimDatabase;
  readonly #timeoutMs: number;
  readonly #resolveLost: (reason: string) => void;
  readonly #listeners: ((payload: string) => void)[] = [];
  #reason: string | undefined;
  #unreplicated = false;
  readonly #turns = new Turns();
  /** Writes of an open transaction, carried out when it commits. */
  #deferred: Statement[] | null = null;

  private constructor({ world, database, timeoutMs, level }: SimConnectionOptions) {
    this.#world = world;
    this.#database = database;
    this.#timeoutMs = timeoutMs;
    this.level = level;
    this.owner = world.owner as LinkedOwner;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.lost = promise;
    this.#resolveLost = resolve;
  }

  static async open(options: SimConnectionOptions): Promise<SimConnection> {
    const connection = new SimConnection(options);
    const { world, database } = options;
    if (connection.#isCutOff) {
      await world.sleep(options.timeoutMs);
      throw new ConnectionLostError('no answer in time');
    }
    await world.sleep(1 + 2 * world.random.unit());
    if (!database.isUp) throw new ConnectionLostError('ECONNREFUSED');
    database.connect(connection);
    return connection;
  }

  get #isCutOff(): boolean {
    return this.owner.cutOffUntilMs > this.#world.nowMs;
  }

  onNotification(listener: (payload: string) => void): void {
    this.#listeners.push(listener);
  }

  notify(payload: string): void {
    this.#toClient(() => {
      for (const listener of this.#listeners) listener(payload);
    });
  }

  drop(reason: string): void {
    this.#toClient(() => this.destroy(reason));
  }

  takeUnreplicated(): boolean {
    const was = this.#unreplicated;
    this.#unreplicated = false;
    return was;
  }

  query(statement: Statement | string, timeoutMs = this.#timeoutMs): Promise<readonly Row[]> {
    return this.#turns.take(() => this.#run(statement, timeoutMs));
  }

  /** The transaction becomes visible only when it commits. */
  transaction<T>(work: (run: Run) => Promise<T>, timeoutMs = this.#timeoutMs): Promise<T> {
    return this.#turns.take(async () => {
      this.#deferred = [];
      try {
        const result = await work((statement) => this.#run(statement, timeoutMs));
        const deferred = this.#deferred;
        this.#deferred = null;
        for (const statement of deferred) await this.#run(statement, timeoutMs);
        return result;
      } finally {
        this.#deferred = null;
      }
    });
  }

  destroy(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#resolveLost(reason);
    // The server notices a little later, whether or not the client survives.
    const { owner } = this.#database;
    this.#world.after(5, () => this.#database.disconnect(this), owner);
  }

  async close(): Promise<void> {
    this.destroy('the connection was closed');
  }

  async #run(given: Statement | string, timeoutMs: number): Promise<readonly Row[]> {
    if (this.#reason !== undefined) throw new ConnectionLostError(this.#reason);
    const statement = typeof given === 'string' ? { text: given } : given;
    if (this.#deferred !== null && statement.text.startsWith('INSERT')) {
      this.#deferred.push(statement);
      return [];
    }
    const silence = this.#world.after(timeoutMs, () => this.destroy(`no answer within ${timeoutMs} ms`));
    try {
      const { rows, isUnreplicated = false } = await this.#exchange(statement);
      this.#unreplicated ||= isUnreplicated;
      return rows;
    } finally {
      silence.isCancelled = true;
    }
  }

  #exchange(statement: Statement): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.lost.then((reason) => reject(new ConnectionLostError(reason)));
    const fate = this.#fateOf(statement);
    if (fate === 'lost before') {
      this.#toClient(() => this.destroy('the connection was lost'));
      return promise;
    }
    const answer = (outcome: Answer | Error) => {
      if (fate === 'lost after') this.drop('the connection was lost');
      else this.#toClient(() => (outcome instanceof Error ? reject(outcome) : resolve(outcome)));
    };
    if (this.#isCutOff) return promise;
    const delayMs =
      fate === 'late' ? this.#timeoutMs + this.#world.random.between(200, 4_000) : this.#hopMs();
    const { owner, failOvers } = this.#database;
    this.#world.after(
      delayMs,
      () => {
        if (this.#database.failOvers === failOvers) this.#arrive(statement, fate, answer);
      },
      owner,
    );
    return promise;
  }

  #arrive(statement: Statement, fate: Fate, answer: (outcome: Answer | Error) => void): void {
    // The server already had the late statement when the client gave up.
    if (fate === 'late') this.#world.counts.add('commit made long after its connection was given up');
    else if (!this.isOpen) return;
    this.#database.execute(this, statement, answer);
  }

  #fateOf({ name }: Statement): Fate {
    if (name !== 'append') return 'fine';
    const { random, counts } = this.#world;
    if (random.chance(LOST_BEFORE)) {
      counts.add('connection lost before a commit');
      return 'lost before';
    }
    if (random.chance(LOST_AFTER)) {
      counts.add('connection lost after a commit, before its answer');
      return 'lost after';
    }
    return random.chance(LATE) ? 'late' : 'fine';
  }

  /** Messages that arrive while the node is cut off are lost. */
  #toClient(act: () => void): void {
    this.#world.after(
      this.#hopMs(),
      () => {
        if (!this.#isCutOff && this.#reason === undefined) act();
      },
      this.owner,
    );
  }

  #hopMs(): number {
    return 0.1 + this.#world.random.unit();
  }
}

type Fate = 'fine' | 'lost before' | 'lost after' | 'late';
