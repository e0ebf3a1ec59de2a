/** Applies a log entry by entry and checks each one. */

import {
  type Attestation,
  type AttestCommand,
  apply,
  type Binding,
  brokenInvariants,
  type Command,
  decodeCommand,
  type Effects,
  encodeCommand,
  type FundingMode,
  NewerLogError,
  NO_EFFECTS,
  type ParkedApproval,
  type State,
  stateDigest,
} from '@venue/engine';
import { type LogEntry, messageOf } from '@venue/log';
import { canApply, STAMPED_PARAMETERS } from '@venue/replay';
import type { Faults } from './faults.ts';
import type { SignatureCheck } from './signature-check.ts';
import { proofOf, unsignedFault } from './signed-texts.ts';

/** Entries between two checks of the invariants. On a small state a check costs as much as a few thousand entries. */
const INVARIANTS_EVERY = 50_000;
/** Entries applied before the event loop gets a turn, in which it passes signatures to the threads. */
const SLICE = 32;

/** The state's digest according to a snapshot. `fault` describes damage to the snapshot itself. */
export interface SnapshotClaim {
  readonly digest: string;
  readonly fault: string | null;
}

export interface ReplayOptions {
  readonly state: State;
  readonly faults: Faults;
  readonly signatures: SignatureCheck;
  /** The log's stamp, by key. */
  readonly stamp: ReadonlyMap<string, string>;
  /** By entry. Each is compared with the state after its entry. */
  readonly snapshots: ReadonlyMap<number, SnapshotClaim>;
  /** Entries to skip. It is a fault if one of them can be applied. */
  readonly skipSeqs: ReadonlySet<number>;
  /** Gets each approval that rests on the attestor's word (CUS-19). */
  readonly onAttested?: (approval: AttestedApproval) => void;
  /** Gets each binding that comes into force (CUS-1). */
  readonly onBound?: (binding: Binding) => void;
  /** Sees what the entries do. */
  readonly effects?: Effects;
}

/** An approval by a contract wallet, and where the attestor says that it asked. */
export interface AttestedApproval extends ParkedApproval {
  readonly attestation: Attestation;
}

/** Counts for the report. */
export class Tally {
  readonly kinds = new Map<string, number>();
  readonly signatures = new Map<string, number>();
  readonly unsigned = new Map<string, number>();
  /** Revocations of a forgotten session, which leave nothing to check them against. */
  voided = 0;
  /** Approvals and revocations that rest on the attestor's word (CUS-19). */
  attested = 0;
  readonly skipped: number[] = [];
  firstTs = 0;
  invariantChecks = 0;
  readonly goodSnapshots: number[] = [];
}

export class Replay {
  readonly tally = new Tally();
  readonly #options: ReplayOptions;
  #checkedSeq: number;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#checkedSeq = options.state.seq;
  }

  /** Applies consecutive entries, up to the first fault. */
  async apply(entries: readonly LogEntry[]): Promise<void> {
    const { faults, signatures, state } = this.#options;
    for (let at = 0; at < entries.length && faults.first === null; at += SLICE) {
      for (const entry of entries.slice(at, at + SLICE)) {
        if (entry.seq > state.seq) this.#take(entry);
        if (faults.first !== null) break;
      }
      await signatures.room();
    }
  }

  /** Runs the final checks, after the last entry. */
  finish(): void {
    this.#checkInvariants();
  }

  #take(entry: LogEntry): void {
    const { state, skipSeqs, faults } = this.#options;
    const { seq, kind, ts } = entry;
    if (this.tally.firstTs === 0) this.tally.firstTs = ts;
    count(this.tally.kinds, kind);
    if (skipSeqs.has(seq)) this.#skip(entry);
    else {
      const command = this.#commandOf(entry);
      if (command === null) return;
      this.#checkProof(entry, command);
      this.#applyOne(entry, command);
    }
    if (faults.first === null) this.#lookAround(state);
  }

  #commandOf({ seq, kind, body }: LogEntry): Command | null {
    const { faults } = this.#options;
    try {
      const command = decodeCommand(kind, body);
      // Two programs could read other bytes differently, for example a JSON object with a duplicate key.
      if (Buffer.compare(encodeCommand(command), body) === 0) return command;
      faults.add('entry', seq, `entry ${seq} (${kind}) is not written as a node writes it`);
    } catch (error) {
      faults.add(
        'entry',
        seq,
        `entry ${seq} (${kind}) cannot be read: ${messageOf(error)}; if a newer release wrote it, verify with that one`,
      );
    }
    return null;
  }

  #checkProof({ seq, kind }: LogEntry, command: Command): void {
    const { state, faults, signatures } = this.#options;
    const fault = unsignedFault(command, this.#mode());
    if (fault !== null) faults.add('entry', seq, `entry ${seq} (${kind}) is ${fault}, in deposits mode`);
    try {
      if (command.kind === 'attest' && command.verdict === 'valid') this.#noteAttested(command);
      const proof = proofOf(state, command);
      if (proof === 'unsigned') count(this.tally.unsigned, kind);
      else if (proof === 'void') this.tally.voided += 1;
      else if (proof !== 'open') {
        count(this.tally.signatures, kind);
        signatures.add(seq, kind, proof);
      }
    } catch (error) {
      faults.add('entry', seq, `entry ${seq} (${kind}) has no text to sign: ${messageOf(error)}`);
    }
  }

  #noteAttested({ id, chainId, blockNumber, blockHash }: AttestCommand): void {
    this.tally.attested += 1;
    const parked = this.#options.state.parked.get(id);
    if (parked?.act !== 'approve') return;
    this.#options.onAttested?.({ ...parked, attestation: { chainId, blockNumber, blockHash } });
  }

  #mode(): FundingMode | undefined {
    const { state, stamp } = this.#options;
    return state.parameters?.fundingMode ?? (stamp.get('fundingMode') as FundingMode | undefined);
  }

  #applyOne({ seq, ts, kind }: LogEntry, command: Command): void {
    const { state, faults, onBound, effects = NO_EFFECTS } = this.#options;
    const { binding: before } = state.custody;
    try {
      apply(state, { seq, ts, command }, effects);
    } catch (error) {
      if (error instanceof NewerLogError) throw error;
      faults.add(
        'apply',
        seq,
        `entry ${seq} (${kind}) cannot be applied: ${messageOf(error)}; a venue that was started without it is verified with --skip ${seq}`,
      );
    }
    if (command.kind === 'configure') this.#checkStamp(seq);
    const { binding } = state.custody;
    if (binding !== null && binding !== before) onBound?.(binding);
  }

  /** No hash covers the stamp, yet it decides in which mode a node may open the log (MODE-1). */
  #checkStamp(seq: number): void {
    const { state, stamp, faults } = this.#options;
    for (const key of STAMPED_PARAMETERS) {
      const [stamped, inForce] = [stamp.get(key), state.parameters?.[key]];
      if (stamped === undefined || stamped === inForce) continue;
      faults.add('apply', seq, `entry ${seq} puts ${key}=${inForce} in force, and the stamp says ${stamped}`);
    }
  }

  #skip(entry: LogEntry): void {
    const { state, faults } = this.#options;
    const { seq, kind } = entry;
    this.tally.skipped.push(seq);
    if (canApply(state, entry))
      faults.add('apply', seq, `entry ${seq} (${kind}) can be applied, so it may not be skipped`);
    else state.seq = seq;
  }

  #lookAround(state: State): void {
    const snapshot = this.#options.snapshots.get(state.seq);
    if (snapshot !== undefined) this.#checkSnapshot(snapshot);
    const isDue = state.seq % INVARIANTS_EVERY === 0 && state.seq - this.#checkedSeq >= sizeOf(state);
    if (isDue || snapshot !== undefined) this.#checkInvariants();
  }

  #checkSnapshot({ digest, fault }: SnapshotClaim): void {
    const { state, faults } = this.#options;
    const { seq } = state;
    if (fault !== null) faults.add('snapshot', seq, `the snapshot of entry ${seq} ${fault}`);
    else if (stateDigest(state) === digest) this.tally.goodSnapshots.push(seq);
    else
      faults.add('snapshot', seq, `the snapshot of entry ${seq} has another digest than the state after it`);
  }

  #checkInvariants(): void {
    const { state, faults } = this.#options;
    if (state.seq % INVARIANTS_EVERY === 0) this.#checkedSeq = state.seq;
    const [broken] = brokenInvariants(state);
    if (broken !== undefined)
      faults.add('invariant', state.seq, `an invariant is broken after entry ${state.seq}: ${broken}`);
    this.tally.invariantChecks += 1;
  }
}

/** How much the invariants visit. A larger state is checked less often, at the same entries for every auditor. */
function sizeOf({ accounts, series, orders, custody, audit }: State): number {
  return accounts.length + series.length + orders.count + custody.payouts.length + 10 * audit.entries.length;
}

function count(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
