import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchDigest } from '../chain.ts';
import { CheckedReader } from '../checked-reader.ts';
import type { LogClock } from '../clock.ts';
import { Contact } from '../contact.ts';
import { Delivery, type OwnBatch, type Placement } from '../delivery.ts';
import {
  LogArchivedAheadError,
  LogClockError,
  LogDivergedError,
  LogOpenError,
  type StampConflict,
} from '../errors.ts';
import type { BatchRecord, Head, LogEntry, LogItem, LogNode, Snapshot } from '../log.ts';
import type { LogStore, StoreEvents, StoreStatus } from '../store.ts';
import { DatabaseClock } from './clock.ts';
import {
  ANSWER_MS,
  type Connect,
  type Connection,
  ConnectionLostError,
  isPassing,
  isReadOnly,
  isTakenId,
  sqlStateOf,
} from './connection.ts';
import { PostgresLink, type PrimarySession } from './link.ts';
import { WRONG_CLOCK } from './places.ts';
import { failureOf, PostgresRequests, RETRY_MS } from './requests.ts';
import { readSafetySettings, safetyWarnings, singleServer } from './safety.ts';
import { checkSchema, ensureSchema } from './schema.ts';
import {
  appendStatement,
  CONFIRM_HEAD,
  headOf,
  placementOf,
  placementStatement,
  READ_HEAD,
  type StoredHead,
} from './statements.ts';
import { dropBatches, hashAt, keepSnapshot, keepStamp, PostgresTables } from './tables.ts';
import { type Timeline, writeTimeline } from './timeline.ts';
import type { PostgresTarget } from './url.ts';

export interface PostgresStoreOptions {
  readonly targets: readonly PostgresTarget[];
  readonly level?: number | undefined;
  /** `PostgresConnection.open` by default. */
  readonly connect?: Connect | undefined;
  /** This machine's clock, to be compared with the server's. */
  readonly clock: LogClock;
  /** Unix ms, used instead of the server's clock. */
  readonly now: (() => number) | undefined;
  readonly onWarning: (text: string) => void;
  /** How long any request except an append may take before it rejects. */
  readonly requestTimeoutMs: number;
  /** True to accept a single server, without a standby that stores acknowledged entries. */
  readonly single: boolean;
  /** True for a process that appends nothing: it changes nothing in the database, and needs no leave to. */
  readonly follows?: boolean;
}

/** The end of the log as a new connection sees it, and when it was requested. */
interface Prepared {
  readonly head: StoredHead;
  readonly sentMs: number;
}

/** Notifications can be lost with a connection, so the head is polled too. */
const POLL_MS = 400;
/** The maximum interval between confirmations that the server is still the primary, and of its last entry. */
const CONFIRM_MS = 1_000;
const BYTES_PER_ANSWER_MS = 2_000;

/** The log in a PostgreSQL database, shared with other nodes. */
export class PostgresStore implements LogStore {
  readonly #options: PostgresStoreOptions;
  readonly #link: PostgresLink<Prepared>;
  readonly #node = randomUUID();
  readonly #contact = new Contact();
  readonly #requests: PostgresRequests;
  readonly #reader: CheckedReader<readonly LogEntry[]>;
  #head: StoredHead | undefined;
  #channel = '';
  #events: StoreEvents | undefined;
  #delivery: Delivery | undefined;
  #timer: NodeJS.Timeout | undefined;
  #confirmSentMs = 0;
  #isAppending = false;
  #isPolling = false;
  #isClosed = false;
  readonly #databaseClock: DatabaseClock;

  constructor(options: PostgresStoreOptions) {
    this.#options = options;
    this.#databaseClock = new DatabaseClock(options.clock);
    this.#link = new PostgresLink({
      targets: options.targets,
      level: options.level,
      connect: options.connect,
      prepare: (writer, timeline) => this.#prepare(writer, timeline),
      onUp: (session, prepared) => this.#takeUp(session, prepared),
      onFailed: (error) => this.#fail(error),
      onWarning: options.onWarning,
    });
    this.#requests = new PostgresRequests({
      session: () => this.#link.session(),
      timeoutMs: options.requestTimeoutMs,
    });
    this.#reader = new CheckedReader(this.#requests.patient);
  }

  /** Rejects with `LogOpenError`. */
  async open(timeoutMs: number): Promise<void> {
    await this.#link.open(timeoutMs);
  }

  get head(): Head {
    return this.#head!;
  }

  begin(events: StoreEvents): void {
    this.#events = events;
    const tables = new PostgresTables(async (statement) =>
      (await this.#link.session()).listener.query(statement),
    );
    this.#delivery = new Delivery({
      start: this.#head!,
      events: {
        ...events,
        committed: (entries) => {
          this.#isAppending = false;
          this.#contact.deliver(entries.at(-1)!.seq);
          events.committed(entries);
        },
        arrived: (entries) => {
          this.#contact.deliver(entries.at(-1)!.seq);
          events.arrived(entries);
        },
        failed: (error) => this.#fail(error),
      },
      readBatches: (fromSeq, toSeq) => tables.batches(fromSeq, toSeq),
      readEntries: (fromSeq, toSeq) => tables.entries(fromSeq, toSeq),
      chainStart: () => this.#requests.patient.chainStart(),
      isPassing,
      ready: async () => {
        await sleep(RETRY_MS);
        await this.#link.session();
      },
    });
    this.#timer = setInterval(() => this.#tick(), POLL_MS);
  }

  commit(items: readonly LogItem[]): void {
    const digest = new BatchDigest();
    for (const { kind, body } of items) digest.add(kind, body);
    const own: OwnBatch = { id: randomUUIDv7(), items, digest: digest.finish() };
    this.#isAppending = true;
    this.#delivery!.expect(own);
    this.#place(own).catch((error) => this.#fail(error));
  }

  /** Retries until the batch has its place: always with the same id, so that it cannot be stored twice. */
  async #place(own: OwnBatch): Promise<void> {
    while (!this.#isClosed) {
      try {
        const session = await this.#link.session();
        const sentMs = performance.now();
        const { fault, isSuspect } = this.#databaseClock;
        if (fault !== undefined || isSuspect) await this.#confirm(session);
        const placement = await this.#append(session, own);
        this.#delivery!.place(placement);
        const seq = placement.firstSeq + own.items.length - 1;
        this.#contact.note({ seq, sentMs }, this.#delivery!.delivered.seq);
        return;
      } catch (error) {
        if (this.#isClosed) return;
        if (!(error instanceof LogClockError) && !isPassing(error)) throw error;
        if (sqlStateOf(error) === WRONG_CLOCK) this.#databaseClock.isSuspect = true;
        if (isReadOnly(error)) this.#link.drop('the server takes no writes any more');
        await sleep(RETRY_MS);
      }
    }
  }

  async #append({ writer }: PrimarySession, own: OwnBatch): Promise<Placement> {
    const { id, items, digest } = own;
    const nextSeq = this.#delivery!.delivered.seq + 1;
    const request = { id, items, digest, nextSeq, channel: this.#channel, node: this.#node };
    const bytes = items.reduce((sum, item) => sum + item.body.byteLength, 0);
    const { clock, now } = this.#options;
    const { nowMs, fault = this.#databaseClock.fault } = clock.read(this.#delivery!.delivered.ts);
    if (fault !== undefined) throw new LogClockError(fault);
    const times = { ts: now?.(), nodeTs: now === undefined ? nowMs : undefined, mayLag: clock.mayLag };
    const statement = appendStatement({ ...request, ...times });
    try {
      const [row] = await writer.query(statement, ANSWER_MS + bytes / BYTES_PER_ANSWER_MS);
      if (writer.takeUnreplicated()) await this.#confirmHead(writer);
      if (row === undefined) throw await whyNotPlaced(writer, nextSeq);
      return placementOf(row);
    } catch (error) {
      if (!isTakenId(error)) throw error;
      // It was stored by an earlier try, and may be visible before a standby has it.
      await this.#confirmHead(writer);
      const [row] = await writer.query(placementStatement(id));
      if (row === undefined) throw new LogArchivedAheadError({ seq: nextSeq });
      return placementOf(row);
    }
  }

  async read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    return this.#reader.read(fromSeq, toSeq);
  }

  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return this.#requests.read((tables) => tables.batches(fromSeq, toSeq));
  }

  async readHead(): Promise<Head> {
    const { seq, ts } = await this.#requests.read((tables) => tables.head());
    return { seq, ts };
  }

  async firstSeq(): Promise<number> {
    return (await this.#requests.read((tables) => tables.head())).firstSeq;
  }

  dropSome(seq: number): Promise<boolean> {
    return this.#requests.write((connection) => dropBatches(connection, seq));
  }

  saveSnapshot(snapshot: Snapshot): Promise<void> {
    return this.#requests.write((connection) => keepSnapshot(connection, snapshot));
  }

  loadSnapshots(): Promise<Snapshot[]> {
    return this.#requests.read((tables) => tables.loadSnapshots());
  }

  readStamp(): Promise<Map<string, string>> {
    return this.#requests.read((tables) => tables.readStamp());
  }

  writeStamp(entries: ReadonlyMap<string, string>): Promise<StampConflict | undefined> {
    return this.#requests.write((connection) => keepStamp(connection, entries));
  }

  readonly isShared = true;

  nodes(): Promise<readonly LogNode[]> {
    return this.#requests.read((tables) => tables.nodes());
  }

  status(): StoreStatus {
    return {
      reachable: this.#link.current !== undefined,
      lastContactMs: this.#contact.ageMs,
      lagEntries: this.#delivery?.lagEntries ?? 0,
      clockFault: this.#databaseClock.fault,
    };
  }

  async close(): Promise<void> {
    await this.#release();
  }

  async abandon(): Promise<void> {
    await this.#release();
  }

  async #release(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#delivery?.stop();
    await this.#link.close();
  }

  /** Checks that the server is the primary, and has everything this node has read of the log. */
  async #prepare(writer: Connection, timeline: Timeline): Promise<Prepared> {
    if (this.#options.follows) await checkSchema(writer);
    else await this.#prepareToAppend(writer, timeline);
    const sentMs = performance.now();
    const head = await this.#confirmHead(writer);
    if (this.#delivery !== undefined) await this.#checkPast(writer, head);
    return { head, sentMs };
  }

  async #prepareToAppend(writer: Connection, timeline: Timeline): Promise<void> {
    await this.#checkSafety(writer);
    if (this.#head === undefined) await ensureSchema(writer);
    await writeTimeline(writer, timeline);
  }

  /** At a start, an operator can fix this; later, another server may become the primary. */
  async #checkSafety(writer: Connection): Promise<void> {
    const settings = await readSafetySettings(writer);
    const isStart = this.#head === undefined;
    if (!this.#options.single) {
      const refusal = singleServer(settings);
      if (refusal !== undefined) throw isStart ? new LogOpenError(refusal) : new Error(refusal);
    }
    if (isStart) for (const warning of safetyWarnings(settings)) this.#options.onWarning(warning);
  }

  async #checkPast(writer: Connection, head: StoredHead): Promise<void> {
    const { seq, hash } = this.#delivery!.delivered;
    const isArchived = seq + 1 < head.firstSeq;
    if (!isArchived && (await hashAt(writer, seq, head)) === hash) return;
    const error = isArchived ? new LogArchivedAheadError({ seq: seq + 1 }) : new LogDivergedError(seq);
    this.#fail(error);
    throw error;
  }

  async #takeUp(session: PrimarySession, { head, sentMs }: Prepared): Promise<void> {
    const { listener } = session;
    if (this.#head === undefined) {
      const [row] = await listener.query(`SELECT 'venue_log_' || 'head'::regclass::oid`);
      this.#channel = String(row![0]);
      this.#head = head;
    }
    listener.onNotification((payload) => this.#hear(payload));
    await listener.query(`LISTEN ${this.#channel}`);
    this.#delivery?.reset(head.seq);
    this.#contact.note({ seq: head.seq, sentMs }, this.#delivery?.delivered.seq ?? this.#head.seq);
  }

  /** A node learns about its own appends from their answers. */
  #hear(payload: string): void {
    const [node, seq] = payload.split(' ');
    if (node !== this.#node) this.#delivery?.hint(Number(seq));
  }

  #tick(): void {
    const session = this.#link.current;
    if (session === undefined) return;
    // A lost connection is reported elsewhere.
    if (!this.#isPolling) this.#poll(session).catch(() => {});
    const isDue = performance.now() - this.#confirmSentMs >= CONFIRM_MS - POLL_MS / 2;
    if (isDue && !this.#isAppending) this.#confirm(session).catch(() => {});
  }

  async #poll({ listener }: PrimarySession): Promise<void> {
    this.#isPolling = true;
    try {
      const { seq } = headOf((await listener.query(READ_HEAD))[0]);
      if (this.#link.current?.listener === listener) this.#delivery!.hint(seq);
    } finally {
      this.#isPolling = false;
    }
  }

  async #confirm({ writer }: PrimarySession): Promise<void> {
    const sentMs = performance.now();
    this.#confirmSentMs = sentMs;
    const { seq } = await this.#confirmHead(writer);
    if (this.#link.current?.writer !== writer) return;
    this.#delivery!.hint(seq);
    this.#contact.note({ seq, sentMs }, this.#delivery!.delivered.seq);
  }

  /** Resolves once everything that was visible is as durable as a commit. */
  async #confirmHead(writer: Connection): Promise<StoredHead> {
    const { clock } = this.#options;
    const sentMs = clock.read().nowMs;
    const [row] = await writer.query(CONFIRM_HEAD);
    if (writer.takeUnreplicated()) throw new ConnectionLostError('the server did not wait for a standby');
    const head = headOf(row);
    const heardMs = clock.read().nowMs;
    if (this.#options.now === undefined)
      this.#databaseClock.compare({ sentMs, heardMs, serverMs: Number(row![5]), lastTs: head.ts });
    return head;
  }

  /** Final: the process must exit. */
  #fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#release().catch(() => {});
    this.#events?.failed(failureOf(error));
  }
}

/** The reason why a batch was not placed: there is no head, or the log begins beyond `nextSeq`. */
async function whyNotPlaced(writer: Connection, nextSeq: number): Promise<Error> {
  headOf((await writer.query(READ_HEAD))[0]);
  return new LogArchivedAheadError({ seq: nextSeq });
}
