/** Evidence from a log: every entry in order, replayed, and compared with the clients' answers. */

import {
  apply,
  brokenInvariants,
  createState,
  decodeCommand,
  type Effects,
  FEATURE_LEVELS,
  type State,
  stateDigest,
} from '@venue/engine';
import { ChainVerifier, type LogEntry, type LogReader, openLogReader } from '@venue/log';
import type { Address, OrderRecord } from '@venue/protocol';
import { DueWatch } from '../../packages/exchange/sim/due-watch.ts';
import { OrderNotes } from '../../packages/exchange/test/order-records.ts';
import { agree, heardText, keyOf, outcomeText, placedIds, type Write } from './write.ts';

export const NO_SNAPSHOT = 'the stop left no snapshot';

/** An entry that spent the nonce of a signed write. */
interface Spent {
  readonly seq: number;
  readonly outcome: string;
}

export class Evidence {
  readonly state: State;
  /** Entries from repeated writes that the engine refused: each changed nothing. */
  repetitions = 0;
  readonly #spec: string;
  readonly #verifier = new ChainVerifier();
  readonly #spent = new Map<string, Spent[]>();
  readonly #notes: OrderNotes;
  readonly #watch = new DueWatch();
  readonly #effects: Effects;

  /** `spec` names the log, like `VENUE_LOG`; `featureLevels` are those of the release that writes it. */
  constructor(spec: string, featureLevels = FEATURE_LEVELS) {
    this.#spec = spec;
    this.state = createState(featureLevels);
    this.#notes = new OrderNotes(this.state);
    this.#effects = this.#notes.noting(this.#watch.effects);
  }

  /** Reads to the end of the log. Throws where an entry is missing, damaged or cannot be applied. */
  async catchUp(): Promise<void> {
    await this.#reading(async (reader) => this.#readTo(reader, (await reader.head()).seq));
  }

  /** Reads to the newest snapshot, just left by a clean stop, and returns its faults. */
  async checkSnapshot(): Promise<string[]> {
    return this.#reading(async (reader) => {
      const [newest] = await reader.loadSnapshots();
      if (newest === undefined || newest.seq < this.state.seq) return [NO_SNAPSHOT];
      await this.#readTo(reader, newest.seq);
      const digest = stateDigest(this.state);
      return digest === newest.digest ? [] : [`the snapshot of entry ${newest.seq} is not what replay gives`];
    });
  }

  /** How many deadlines the log's entries carried out. */
  get deadlines(): DueWatch['times'] {
    return this.#watch.times;
  }

  /** All orders that an account ever had, newest first. */
  ordersOf(address: string): OrderRecord[] {
    const account = this.state.accountByAddress.get(address as Address);
    return account === undefined ? [] : this.#notes.recordsOf(account.index);
  }

  /** All faults, in sentences: with the clients' answers, and with the state itself. */
  faults(writes: readonly Write[]): string[] {
    const asked = new Map(writes.map((write) => [write.key, write]));
    const unasked = [...this.#spent.keys()].filter((key) => !asked.has(key));
    return [
      ...unasked.map((key) => `nobody asked for ${key}`),
      ...writes.flatMap((write) => this.#faultsOf(write)),
      ...repeatedIds(writes),
      ...this.#watch.faults,
      ...brokenInvariants(this.state),
    ];
  }

  #faultsOf(write: Write): string[] {
    const spent = this.#spent.get(write.key) ?? [];
    const { heard, isKnownToBeIn, kind, key } = write;
    if (spent.length > 1) return [`the nonce of ${kind} ${key} is spent ${spent.length} times`];
    const [only] = spent;
    if (only === undefined) return heard || isKnownToBeIn ? [`${kind} ${key} was acknowledged and lost`] : [];
    if (heard === null) return [];
    const [told, did] = [heardText(write, heard), only.outcome];
    return agree(told, did) ? [] : [`entry ${only.seq} says "${did}" and its client was told "${told}"`];
  }

  async #reading<T>(act: (reader: LogReader) => Promise<T>): Promise<T> {
    const reader = await openLogReader(this.#spec);
    try {
      return await act(reader);
    } finally {
      await reader.close();
    }
  }

  async #readTo(reader: LogReader, seq: number): Promise<void> {
    const verifier = this.#verifier;
    while (this.state.seq < seq) {
      const entries = await reader.readEntries(verifier.nextSeq, seq);
      verifier.addBatches(await reader.readBatches(verifier.batchedSeq + 1, entries.at(-1)!.seq));
      const fault = verifier.addEntries(entries);
      if (fault) throw new Error(fault.message);
      for (const entry of entries) this.#apply(entry);
    }
  }

  #apply({ seq, ts, kind, body }: LogEntry): void {
    const command = decodeCommand(kind, body);
    this.#watch.begin(ts);
    const outcome = apply(this.state, { seq, ts, command }, this.#effects);
    this.#watch.end(command, outcome, ts);
    const key = keyOf(command);
    if (key === null) return;
    if ('refusal' in outcome && outcome.refusal === 'nonceUsed') {
      this.repetitions += 1;
      return;
    }
    const spent = this.#spent.get(key) ?? [];
    spent.push({ seq, outcome: outcomeText(kind as never, outcome) });
    this.#spent.set(key, spent);
  }
}

function repeatedIds(writes: readonly Write[]): string[] {
  const seen = new Set<number>();
  const faults: string[] = [];
  for (const orderId of writes.flatMap(placedIds)) {
    if (seen.has(orderId)) faults.push(`order ${orderId} was acknowledged twice`);
    seen.add(orderId);
  }
  return faults;
}
