/** Follows a log that others write, and believes none of it unproven: for the checker (CUS-18). */

import { type Binding, createState, type Deposit, type State } from '@venue/engine';
import { type ChainPoint, ChainVerifier, type LogReader, openLogReader } from '@venue/log';
import { stampFault, type Verifier } from '@venue/replay';
import { logSegment } from '../archive/log-segment.ts';
import { BrokenLogError, provenPages } from '../archive/segment.ts';
import { foreseeing, LogToolError } from '../archive/tool-error.ts';
import { type Fault, Faults } from './faults.ts';
import { type Bound, type Proof, type Proven, proofOfState, provenBy } from './proof.ts';
import { type AttestedApproval, Replay } from './replay.ts';
import { SessionTrades } from './session-trades.ts';
import { SignatureCheck } from './signature-check.ts';

const NONE: ReadonlySet<number> = new Set();
const NO_DEPOSITS: ReadonlySet<Deposit> = new Set();

export interface FollowOptions {
  /** The number of threads that check signatures; one by default. */
  readonly workers?: number;
  /** Checks the signatures in the place of such threads, and is left open. */
  readonly verifier?: Verifier | undefined;
  /** Proven of this log before: only what comes after it is replayed. */
  readonly proof?: Proof | undefined;
}

interface FollowedLogParts {
  readonly proven: Proven;
  readonly reader: LogReader;
  readonly faults: Faults;
  readonly signatures: SignatureCheck;
  /** Closed with the log. */
  readonly opened: AsyncDisposableStack;
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
  readonly #opened: AsyncDisposableStack;
  readonly #reader: LogReader;
  readonly #faults: Faults;
  readonly #signatures: SignatureCheck;
  /** Null until the log has a stamp, which a node writes before the first entry. */
  #replay: Replay | null = null;
  #point: ChainPoint;
  #attested: AttestedApproval[] = [];
  /** Those that the caller may not have settled yet; the others are dropped when a proof is made. */
  #unsettled: AttestedApproval[] = [];
  #isBehind = false;
  /** Sessions that a contract is said to have approved, until the caller forgets them (CUS-19). */
  readonly trades = new SessionTrades();
  readonly #bindings: Bound[];
  /** The state after the entries proven so far. */
  readonly state: State;
  /** The entries up to here were proven before: those after it are proven by this object. */
  readonly fromSeq: number;

  private constructor({ proven, reader, faults, signatures, opened }: FollowedLogParts) {
    const { state, point, bindings, attested, trades } = proven;
    this.#reader = reader;
    this.#point = point;
    this.#faults = faults;
    this.#signatures = signatures;
    this.#opened = opened;
    this.state = state;
    this.fromSeq = point.seq;
    this.#bindings = [...bindings];
    this.#attested = [...attested];
    this.#unsettled = [...attested];
    this.trades.restore(trades);
  }

  /**
   * Opens a log as `openLogReader` takes it; nodes may be running on it. It has to begin with the first entry. Throws
   * `LogToolError` if it cannot be read, and `UnusableProofError` for a proof of something else.
   */
  static open(log: string, { workers = 1, verifier, proof }: FollowOptions = {}): Promise<FollowedLog> {
    return foreseeing(async () => {
      await using opened = new AsyncDisposableStack();
      const reader = await openLogReader(log);
      opened.defer(() => reader.close());
      const start = await reader.chainStart();
      if (start.seq > 0)
        throw new LogToolError(`entries 1 to ${start.seq} are archived: follow a copy that has every entry`);
      const proven = proof === undefined ? nothingProven(start) : await provenBy(proof, reader);
      const faults = new Faults();
      const signatures = verifier
        ? new SignatureCheck(verifier, faults)
        : await SignatureCheck.open(faults, workers);
      if (verifier === undefined) opened.defer(() => signatures.close());
      return new FollowedLog({ proven, faults, signatures, reader, opened: opened.move() });
    });
  }

  /** The last entry proven so far. */
  get seq(): number {
    return this.#point.seq;
  }

  /** True if the log had more entries than the last call was to prove. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /**
   * Reads and proves what was appended since the last call, up to the batch that has the last of so many entries. Returns
   * the first fault, which stays; null while everything is proven. Throws `LogToolError` while the log cannot be read, and
   * may be called again.
   */
  async advance(entriesMax = Number.POSITIVE_INFINITY): Promise<Fault | null> {
    if (this.#faults.first !== null) return this.#faults.first;
    try {
      await foreseeing(() => this.#read(entriesMax));
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
   * The proof so far, for `open` after a restart. Null while there is none, and once there is a fault. Not to be called
   * while the log advances. Throws `LogToolError` while the log cannot be read.
   */
  async proof(): Promise<Proof | null> {
    if (this.#faults.first !== null || this.seq === 0) return null;
    this.#unsettled = this.#unsettled.filter((one) => this.trades.isWatched(one));
    const { state } = this;
    const settled = { bindings: this.#bindings, attested: this.#unsettled, trades: this.trades.rows() };
    return foreseeing(() => proofOfState(this.#reader, { state, point: this.#point, ...settled }));
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

  close(): Promise<void> {
    return this.#opened.disposeAsync();
  }

  async #read(entriesMax: number): Promise<void> {
    const { seq, hash } = await this.#reader.head();
    const after = this.#point;
    if (seq < after.seq) {
      const message = `the log ends with entry ${seq}, and entry ${after.seq} was there before`;
      throw new BrokenLogError({ seq: seq + 1, message });
    }
    if (seq === after.seq && hash !== after.hash)
      throw new BrokenLogError({
        seq,
        message: `entry ${seq} is another than the one that was proven before`,
      });
    this.#isBehind = seq - after.seq > entriesMax;
    if (seq === after.seq) return;
    this.#replay ??= await this.#begin();
    const to = this.#isBehind ? { to: after.seq + entriesMax } : {};
    const segment = await logSegment({ reader: this.#reader, after, ...to });
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
      this.#unsettled.push(approval);
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

function nothingProven(point: ChainPoint): Proven {
  return { state: createState(), point, bindings: [], attested: [], trades: [] };
}
