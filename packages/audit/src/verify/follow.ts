/** Follows a log that others write, and believes none of it unproven: for the checker (CUS-18). */

import { type Binding, createState, type Deposit, type State } from '@venue/engine';
import { type ChainPoint, ChainVerifier, type LogReader, openLogReader } from '@venue/log';
import { stampFault } from '@venue/replay';
import { logSegment } from '../archive/log-segment.ts';
import { BrokenLogError, provenPages } from '../archive/segment.ts';
import { foreseeing, LogToolError } from '../archive/tool-error.ts';
import { type Fault, Faults } from './faults.ts';
import { type AttestedApproval, Replay } from './replay.ts';
import { SessionTrades } from './session-trades.ts';
import { SignatureCheck } from './signature-check.ts';

const NONE: ReadonlySet<number> = new Set();
const NO_DEPOSITS: ReadonlySet<Deposit> = new Set();

/** A binding, and the deposits that the log had then. */
interface Bound {
  readonly binding: Binding;
  readonly deposits: ReadonlySet<Deposit>;
}

/**
 * A copy of a log, replayed entry by entry with every hash, signature and invariant checked. What it has proven stays
 * proven: a copy that goes on differently, or has lost its end, is a fault.
 *
 * @example
 * const followed = await FollowedLog.open('sqlite:copy.db');
 * const fault = await followed.advance();
 * if (fault === null) console.log(followed.state.custody.payouts.length);
 */
export class FollowedLog {
  readonly #reader: LogReader;
  readonly #faults: Faults;
  readonly #signatures: SignatureCheck;
  /** Null until the log has a stamp, which a node writes before the first entry. */
  #replay: Replay | null = null;
  #point: ChainPoint;
  #attested: AttestedApproval[] = [];
  /** Of every session that a contract is said to have approved, until the caller forgets it (CUS-19). */
  readonly trades = new SessionTrades();
  readonly #bindings: Bound[] = [];
  /** The state after the entries proven so far. */
  readonly state: State = createState();

  private constructor(
    reader: LogReader,
    parts: { readonly start: ChainPoint; readonly faults: Faults; readonly signatures: SignatureCheck },
  ) {
    this.#reader = reader;
    this.#point = parts.start;
    this.#faults = parts.faults;
    this.#signatures = parts.signatures;
  }

  /**
   * Opens a log as `openLogReader` takes it; nodes may be running on it. It has to begin with the first entry. Throws
   * `LogToolError` if it cannot be read.
   */
  static open(log: string, { workers = 1 }: { readonly workers?: number } = {}): Promise<FollowedLog> {
    return foreseeing(async () => {
      const reader = await openLogReader(log);
      const start = await reader.chainStart();
      if (start.seq > 0) {
        await reader.close();
        throw new LogToolError(`entries 1 to ${start.seq} are archived: follow a copy that has every entry`);
      }
      const faults = new Faults();
      const signatures = await SignatureCheck.open(faults, workers);
      return new FollowedLog(reader, { start, faults, signatures });
    });
  }

  /** The last entry proven so far. */
  get seq(): number {
    return this.#point.seq;
  }

  /**
   * Reads and proves what was appended since the last call. Returns the first fault, which stays; null while everything
   * is proven. Throws `LogToolError` while the log cannot be read, and may be called again.
   */
  async advance(): Promise<Fault | null> {
    if (this.#faults.first !== null) return this.#faults.first;
    try {
      await foreseeing(() => this.#read());
    } catch (error) {
      if (!(error instanceof BrokenLogError)) throw error;
      this.#faults.add('chain', error.seq, error.message);
    }
    await this.#signatures.done();
    return this.#faults.first;
  }

  /** The approvals by contract wallets since the last call, which the log alone cannot prove (CUS-19). */
  takeAttested(): readonly AttestedApproval[] {
    const taken = this.#attested;
    this.#attested = [];
    return taken;
  }

  /**
   * The deposits that the log had when it was first bound to a vault, if that binding says that earlier vaults took them
   * (CUS-1). No signature proves a binding, so a later one to the same vault adds none; a deposit that was reversed since,
   * and one that is reported again in its place, is another object.
   */
  depositsBefore({ chainId, vault }: Pick<Binding, 'chainId' | 'vault'>): ReadonlySet<Deposit> {
    const first = this.#bindings.find(
      ({ binding }) => binding.vault === vault && binding.chainId === chainId,
    );
    return first === undefined || first.binding.depositedBeforeMicros === 0 ? NO_DEPOSITS : first.deposits;
  }

  async close(): Promise<void> {
    await this.#signatures.close();
    await this.#reader.close();
  }

  async #read(): Promise<void> {
    const { seq } = await this.#reader.head();
    if (seq < this.#point.seq) {
      const message = `the log ends with entry ${seq}, and entry ${this.#point.seq} was there before`;
      throw new BrokenLogError({ seq: seq + 1, message });
    }
    if (seq === this.#point.seq) return;
    this.#replay ??= await this.#begin();
    const segment = await logSegment({ reader: this.#reader, after: this.#point });
    const verifier = new ChainVerifier(this.#point);
    for await (const { entries } of provenPages(segment, verifier)) {
      await this.#replay.apply(entries);
      this.#point = verifier.verified;
      if (this.#faults.first !== null) return;
    }
    this.#replay.finish();
  }

  async #begin(): Promise<Replay> {
    const stamp = await this.#reader.readStamp();
    const fault = stampFault(stamp);
    if (fault !== null) throw new BrokenLogError({ seq: 1, message: fault });
    const { state } = this;
    const checks = { faults: this.#faults, signatures: this.#signatures };
    const onAttested = (approval: AttestedApproval) => {
      this.trades.watch(approval);
      this.#attested.push(approval);
    };
    const { effects } = this.trades;
    const onBound = (binding: Binding) =>
      this.#bindings.push({ binding, deposits: new Set(state.custody.deposits.values()) });
    return new Replay({
      state,
      ...checks,
      stamp,
      snapshots: new Map(),
      skipSeqs: NONE,
      onAttested,
      onBound,
      effects,
    });
  }
}
