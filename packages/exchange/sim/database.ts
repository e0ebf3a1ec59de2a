/** The database shared by several nodes: it executes their statements, and a fail-over may take commits back. */

import { type BatchRecord, CHAIN_ORIGIN, chainHash, type LogEntry, type Snapshot } from '@venue/log';
import { DatabaseError } from 'pg';
import { CLOCK_STEP_MS } from '../../log/src/clock.ts';
import type { Row, Statement } from '../../log/src/postgres/connection.ts';
import { WRONG_CLOCK } from '../../log/src/postgres/places.ts';
import { type Owner, refuseWrongTime, type World } from './world.ts';

/** A connection as the server sees it. */
export interface ServerSide {
  readonly owner: Owner;
  /** The feature level that its process announces. */
  readonly level: number | undefined;
  isOpen: boolean;
  isListening: boolean;
  notify(payload: string): void;
  /** Called when the server goes away. */
  drop(reason: string): void;
}

export interface Answer {
  readonly rows: readonly Row[];
  /** Set when the server reports that no standby has the commit yet. */
  readonly isUnreplicated?: boolean;
}

/** A write waiting for a standby. */
interface Commit {
  readonly perform: (isReplicated: boolean) => Answer;
  readonly answer: (outcome: Answer | Error) => void;
  readonly isAppend: boolean;
  readonly isEarly: boolean;
}

/** Appends that a fail-over took back after they could be read. */
export interface Loss {
  readonly firstSeq: number;
  readonly atMs: number;
}

const UNIQUE_VIOLATION = '23505';

/** A primary with a synchronous standby. Acknowledged writes are on both, and time is the current primary's. */
export class SimDatabase {
  readonly owner: Owner = { name: 'database', isAlive: true, pausedUntilMs: 0 };
  readonly batches: BatchRecord[] = [];
  readonly entries: LogEntry[] = [];
  readonly losses: Loss[] = [];
  readonly stamp = new Map<string, string>();
  snapshots: Snapshot[] = [];
  clockOffsetMs = 0;
  failOvers = 0;
  /** Probability of each fault, per append and per listener. */
  readonly #rates = { early: 0.05, notificationLoss: 0.05 };
  readonly #world: World;
  readonly #baseMs: number;
  readonly #connections = new Set<ServerSide>();
  /** Commits that the standby does not have yet, newest last. */
  #unreplicated: { readonly firstSeq: number; readonly by: Owner; readonly undo: () => void }[] = [];
  /** The highest entry that anyone but its author has read before it was replicated. */
  #readSeq = 0;
  readonly #commits = new Set<Commit>();
  #laneFreeMs = 0;
  #isUp = true;
  #ts = 0;

  constructor(world: World, baseMs: number) {
    this.#world = world;
    this.#baseMs = baseMs;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** True if anyone has read entries that a fail-over would take back. */
  get isReadAhead(): boolean {
    return this.#readSeq > 0;
  }

  get hasAppendsUnderWay(): boolean {
    return [...this.#commits].some(({ isAppend }) => isAppend);
  }

  get hasCommitsUnderWay(): boolean {
    return this.#commits.size > 0;
  }

  /** Stops injecting faults. */
  calm(): void {
    this.#rates.early = 0;
    this.#rates.notificationLoss = 0;
  }

  connect(connection: ServerSide): void {
    this.#connections.add(connection);
  }

  disconnect(connection: ServerSide): void {
    connection.isOpen = false;
    this.#connections.delete(connection);
  }

  /** Drops every connection of a dead process. */
  disconnectAll(owner: Owner): void {
    for (const connection of this.#connections) if (connection.owner === owner) this.disconnect(connection);
  }

  /** The primary dies. After `downMs` the standby takes over with its own data and its own clock. */
  failOver(downMs: number): void {
    const { random, counts } = this.#world;
    counts.add('fail-over');
    this.failOvers += 1;
    for (const commit of this.#commits) {
      if (!random.chance(0.4)) {
        if (commit.isAppend) counts.add('commit lost in a fail-over');
        continue;
      }
      try {
        commit.perform(true);
        if (commit.isAppend) counts.add('commit survived a fail-over unanswered');
      } catch {
        // Refused, and nobody is left to answer.
      }
    }
    this.#commits.clear();
    this.#loseUnreplicated();
    this.#isUp = false;
    for (const connection of [...this.#connections]) {
      this.disconnect(connection);
      connection.drop('the server has gone');
    }
    this.clockOffsetMs = random.between(-900, 900);
    this.#world.after(downMs, () => (this.#isUp = true), this.owner);
  }

  #loseUnreplicated(): void {
    const [first] = this.#unreplicated;
    if (first === undefined) return;
    this.losses.push({ firstSeq: first.firstSeq, atMs: this.#world.nowMs });
    if (this.#readSeq >= first.firstSeq)
      this.#world.counts.add('commit that others had read lost in a fail-over');
    for (const { undo } of this.#unreplicated.reverse()) undo();
    this.#unreplicated = [];
    this.#readSeq = 0;
  }

  /** Executes a statement that has arrived. `answer` may never be called, because the server can die first. */
  execute(connection: ServerSide, statement: Statement, answer: (outcome: Answer | Error) => void): void {
    const perform = this.#writeOf(connection, statement);
    if (perform === null) {
      answer({ rows: this.#read(connection, statement) });
      return;
    }
    const { random } = this.#world;
    const isAppend = statement.name === 'append';
    const commit = { perform, answer, isAppend, isEarly: isAppend && random.chance(this.#rates.early) };
    this.#commits.add(commit);
    // Every append updates one row, so appends queue for it.
    this.#laneFreeMs = Math.max(this.#laneFreeMs, this.#world.nowMs) + 0.3 + 2 * random.unit();
    this.#world.after(this.#laneFreeMs - this.#world.nowMs, () => this.#commit(commit), this.owner);
  }

  #commit(commit: Commit): void {
    if (!this.#commits.delete(commit)) return;
    try {
      const done = commit.perform(!commit.isEarly);
      if (commit.isEarly) this.#noteEarly();
      else this.#replicate();
      commit.answer(commit.isEarly ? { ...done, isUnreplicated: true } : done);
    } catch (error) {
      commit.answer(error as Error);
    }
  }

  /** Makes the standby slow for a while. */
  #noteEarly(): void {
    const { random, counts } = this.#world;
    counts.add('commit visible before a standby had it');
    this.#laneFreeMs = Math.max(this.#laneFreeMs, this.#world.nowMs) + random.between(5, 150);
  }

  /** A standby that has a commit has every earlier one. */
  #replicate(): void {
    this.#unreplicated = [];
    this.#readSeq = 0;
  }

  /** The effect of a statement on commit, or null if it only reads. */
  #writeOf(connection: ServerSide, { name, text, values = [] }: Statement): Commit['perform'] | null {
    if (name === 'append') return (isReplicated) => this.#append(connection, values, isReplicated);
    if (name === 'confirm') return () => ({ rows: [[...this.#headRow(), this.#now()]] });
    if (text.startsWith('INSERT INTO snapshot')) return () => this.#keepSnapshot(values);
    if (text.startsWith(`INSERT INTO meta VALUES ('timeline'`)) return () => ({ rows: [] });
    if (text.startsWith('INSERT INTO meta')) return () => this.#keepStamp(values);
    return null;
  }

  #append(connection: ServerSide, values: readonly unknown[], isReplicated: boolean): Answer {
    const [id, count, digest, , , kinds, starts, bodies, sizes, , node, nodeTs, mayLag] = values as [
      string,
      number,
      Uint8Array,
      undefined,
      number,
      string[],
      number[],
      Buffer,
      number[],
      string,
      string,
      number,
      boolean,
    ];
    if (this.batches.some((batch) => batch.id === id)) {
      this.#world.counts.add('batch found by its id');
      throw taken();
    }
    const firstSeq = this.#headSeq + 1;
    const tsBefore = this.#ts;
    const nowMs = this.#now();
    const isBehind = this.#ts - nowMs > CLOCK_STEP_MS && !mayLag;
    if (isBehind || Math.abs(nowMs - nodeTs) > CLOCK_STEP_MS) throw wrongClock();
    this.#ts = Math.max(this.#ts, nowMs);
    refuseWrongTime(this.#world, this.#ts, this.#baseMs + this.#world.nowMs);
    const place = { previousHash: this.#headHash, firstSeq, ts: this.#ts };
    this.batches.push({ firstSeq, lastSeq: firstSeq + count - 1, id, hash: chainHash(place, digest) });
    for (const [i, kind] of kinds.entries()) {
      const body = new Uint8Array(bodies.subarray(starts[i]! - 1, starts[i]! - 1 + sizes[i]!));
      this.entries.push({ seq: firstSeq + i, ts: this.#ts, kind, body });
    }
    const undo = () => {
      this.batches.pop();
      this.entries.length -= count;
      this.#ts = tsBefore;
    };
    if (!isReplicated) this.#unreplicated.push({ firstSeq, by: connection.owner, undo });
    this.#notify(`${node} ${this.#headSeq}`);
    return { rows: [[firstSeq, this.#ts, Buffer.from(this.#headHash, 'hex')]] };
  }

  #notify(payload: string): void {
    for (const connection of this.#connections) {
      if (!connection.isListening) continue;
      if (this.#world.random.chance(this.#rates.notificationLoss))
        this.#world.counts.add('notification lost');
      else connection.notify(payload);
    }
  }

  #keepSnapshot([seq, version, digest, body]: readonly unknown[]): Answer {
    const snapshot = {
      seq: seq as number,
      version: version as number,
      digest: digest as string,
      body: new Uint8Array(body as Uint8Array),
    };
    const others = this.snapshots.filter((other) => other.seq !== snapshot.seq);
    this.snapshots = [snapshot, ...others].sort((a, b) => b.seq - a.seq).slice(0, 2);
    return { rows: [] };
  }

  #keepStamp([keys, values]: readonly unknown[]): Answer {
    for (const [i, key] of (keys as string[]).entries()) {
      if (!this.stamp.has(key)) this.stamp.set(key, (values as string[])[i]!);
    }
    return { rows: [] };
  }

  #read(connection: ServerSide, { name, text, values = [] }: Statement): Row[] {
    const [from, to] = values as [number, number];
    switch (name) {
      case 'head':
        return [this.#headRow()];
      case 'batches':
        return this.batches
          .filter(({ firstSeq, lastSeq }) => lastSeq >= from && firstSeq <= to)
          .map(batchRow);
      case 'batch-at':
        return this.batches
          .filter(({ firstSeq }) => firstSeq <= from)
          .slice(-1)
          .map(batchRow);
      case 'entries':
        this.#noteRead(connection, to);
        return this.entries
          .slice(from - 1, to)
          .map(({ seq, ts, kind, body }) => [seq, ts, kind, Buffer.from(body)]);
      case 'nodes':
        return this.#nodes();
      case 'placement':
        return this.#placement(String(values[0]));
    }
    return this.#readOther(connection, text);
  }

  #noteRead({ owner }: ServerSide, toSeq: number): void {
    for (const { firstSeq, by } of this.#unreplicated)
      if (by !== owner && toSeq >= firstSeq) this.#readSeq = Math.max(this.#readSeq, firstSeq);
  }

  #placement(id: string): Row[] {
    const batch = this.batches.find((one) => one.id === id);
    if (batch === undefined) return [];
    return [[batch.firstSeq, this.entries[batch.firstSeq - 1]!.ts, Buffer.from(batch.hash, 'hex')]];
  }

  /** Every simulated node runs this release. */
  #nodes(): Row[] {
    return [...this.#connections].map(({ level }) => [`venue level ${level}`, 'this machine']);
  }

  #readOther(connection: ServerSide, text: string): Row[] {
    if (text.startsWith('SELECT pg_is_in_recovery()')) return [[false, 'off', '', '']];
    if (text.startsWith('SELECT system_identifier')) return [['1', 1 + this.failOvers]];
    if (text.startsWith('SELECT value FROM meta')) return [];
    if (text.startsWith(`SELECT current_setting('synchronous_commit')`))
      return [['on', 'ANY 1 (standby)', 'on', 'on']];
    if (text.startsWith('SELECT count(to_regclass')) return [[5]];
    if (text.startsWith('SELECT schema_version')) return [[2]];
    if (text.startsWith("SELECT 'venue_log_'")) return [['venue_log_1']];
    if (text.startsWith('SELECT key, value FROM meta')) return [...this.stamp];
    if (text.startsWith('SELECT seq, version, digest, body FROM snapshot'))
      return this.snapshots.map(({ seq, version, digest, body }) => [
        seq,
        version,
        digest,
        Buffer.from(body),
      ]);
    if (text.startsWith('LISTEN')) connection.isListening = true;
    else if (!HARMLESS.test(text)) throw new Error(`the simulated database does not know: ${text}`);
    return [];
  }

  get #headSeq(): number {
    return this.batches.at(-1)?.lastSeq ?? 0;
  }

  get #headHash(): string {
    return this.batches.at(-1)?.hash ?? CHAIN_ORIGIN.hash;
  }

  #headRow(): Row {
    const origin = Buffer.from(CHAIN_ORIGIN.hash, 'hex');
    return [this.#headSeq, this.#ts, Buffer.from(this.#headHash, 'hex'), 1, origin];
  }

  #now(): number {
    return Math.floor(this.#baseMs + this.#world.nowMs + this.clockOffsetMs);
  }
}

/** Statements without effect here, and the trim that goes with keeping a snapshot. */
const HARMLESS = /^(SET |SELECT pg_advisory_xact_lock|LOCK TABLE meta|DELETE FROM snapshot WHERE seq NOT IN)/;

function batchRow({ firstSeq, lastSeq, id, hash }: BatchRecord): Row {
  return [firstSeq, lastSeq, id, Buffer.from(hash, 'hex')];
}

function wrongClock(): DatabaseError {
  return Object.assign(new DatabaseError('the clocks differ', 0, 'error'), { code: WRONG_CLOCK });
}

function taken(): DatabaseError {
  const error = new DatabaseError('duplicate key value violates unique constraint', 0, 'error');
  return Object.assign(error, { code: UNIQUE_VIOLATION, constraint: 'batch_id_key' });
}
