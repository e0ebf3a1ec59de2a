/** The only way to change the state: appends commands to the log, and applies entries once they are durable. */

import {
  apply,
  assertWritable,
  type Command,
  type CommandKind,
  decodeEntry,
  type Effects,
  encodeCommand,
  NewerLogError,
  NO_EFFECTS,
  type OutcomeOf,
  type State,
  type VenueParameters,
} from '@venue/engine';
import type { Follower, Log, LogEntry } from '@venue/log';
import { messageOf } from '@venue/log';
import { canApply } from '@venue/replay';
import type { EntryTrace, EntryTraces } from '../observe/entry-traces.ts';

export interface SequencerOptions {
  readonly log: Log;
  readonly state: State;
  /** Receives the effects of entries after the replay. */
  readonly effects: Effects;
  /** Receives the effects of entries during the replay; by default they are dropped. */
  readonly replayEffects?: Effects;
  /** Stored entries to skip, as the operator chose; each must be one that the engine cannot apply. */
  readonly skipSeqs: ReadonlySet<number>;
  /** Called after every entry that was applied, in the replay too, before anything that shows its outcome. */
  readonly onEntry?: () => void;
  /** Called after each page with what was applied. */
  readonly onApplied?: (applied: Applied) => void;
  /** Called after the replay when any node puts parameters in force. */
  readonly onConfigured?: (change: ConfigurationChange) => void;
  /** Called after the replay with the outcome of each entry. */
  readonly onDecided?: <K extends CommandKind>(kind: K, outcome: OutcomeOf<K>) => void;
  /** Called when the log refuses a command. */
  readonly onRefused?: () => void;
  /** The clock that tells how long applying takes, ms; by default the monotonic one. */
  readonly monotonicMs?: (() => number) | undefined;
  /** Follows the entries of traced requests; by default none. */
  readonly traces?: EntryTraces | undefined;
  /** Called once, when an entry cannot be applied; the process must then exit. */
  readonly onFatal: (error: Error) => void;
}

export interface ConfigurationChange {
  readonly seq: number;
  readonly before: VenueParameters | null;
  readonly after: VenueParameters;
}

/** Entries applied together. */
export interface Applied {
  readonly entries: number;
  /** Total size of their bodies. */
  readonly bytes: number;
  /** Time for which that held the event loop. */
  readonly ms: number;
  readonly isReplay: boolean;
}

/** A command of this process waiting for the log. */
interface Pending {
  readonly command: Command;
  readonly traced: EntryTrace | null;
  readonly settle: (outcome: OutcomeOf<Command['kind']>, ts: number) => void;
  readonly fail: (error: unknown) => void;
}

export class Sequencer {
  readonly #options: SequencerOptions;
  readonly #pending = new Set<Pending>();
  #effects: Effects;
  #isReplaying = true;
  #follower: Follower | null = null;
  #fatal: Error | null = null;
  readonly #monotonicMs: () => number;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#effects = options.replayEffects ?? NO_EFFECTS;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
  }

  /**
   * Applies the stored entries, then follows the log. Resolves with the last sequence number of the replay; rejects
   * if an entry cannot be applied.
   */
  async replay(): Promise<number> {
    const { log, state } = this.#options;
    this.#follower = log.follow(state.seq + 1, (entries) => this.#apply(entries), {
      onError: (error) => this.#stopOn(error),
    });
    const seq = await this.#follower.caughtUp;
    this.#effects = this.#options.effects;
    this.#isReplaying = false;
    return seq;
  }

  /**
   * Appends a command and resolves with what `render` makes of its outcome, once it is durable and applied. `render`
   * runs before the next entry is applied, so that the answer shows the state at that moment; `ts` is the entry's log
   * time. Rejects if the log fails or the node stops, and with `FeatureLevelError` for a kind of entry that not every
   * node of the venue can read yet.
   */
  submit<C extends Command, T>(
    command: C,
    render: (outcome: OutcomeOf<C['kind']>, ts: number) => T,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const pending: Pending = {
        command,
        traced: this.#options.traces?.submitted() ?? null,
        settle: (outcome, ts) => resolve(render(outcome as OutcomeOf<C['kind']>, ts)),
        fail: reject,
      };
      this.#append(pending);
    });
  }

  /** Commands of this process waiting for the log. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  #append(pending: Pending): void {
    if (this.#fatal !== null) {
      pending.fail(this.#fatal);
      return;
    }
    const { command } = pending;
    assertWritable(this.#options.state, command);
    const body = encodeCommand(command);
    this.#pending.add(pending);
    this.#options.log.append([{ kind: command.kind, body, local: pending }]).catch((error) => {
      this.#fail(pending, error);
      this.#options.onRefused?.();
    });
  }

  #apply(entries: readonly LogEntry[]): void {
    const startedMs = this.#monotonicMs();
    let bytes = 0;
    for (const entry of entries) {
      this.#applyOne(entry);
      bytes += entry.body.byteLength;
    }
    this.#options.onApplied?.({
      ...{ entries: entries.length, bytes, isReplay: this.#isReplaying },
      ms: this.#monotonicMs() - startedMs,
    });
  }

  #applyOne(entry: LogEntry): void {
    const { state, skipSeqs } = this.#options;
    const pending = entry.local as Pending | undefined;
    if (pending === undefined && skipSeqs.has(entry.seq)) {
      const { seq, kind } = entry;
      if (canApply(state, entry))
        throw new Error(
          `entry ${seq} (${kind}) can be applied; VENUE_SKIP_SEQ may only name one that cannot`,
        );
      state.seq = seq;
      return;
    }
    const { parameters } = state;
    const startedMs = pending?.traced ? performance.now() : 0;
    const outcome = this.#outcomeOf(entry, pending);
    this.#options.onEntry?.();
    this.#tellConfigured(entry.seq, parameters);
    if (!this.#isReplaying) this.#options.onDecided?.(entry.kind as CommandKind, outcome);
    if (pending === undefined) return;
    if (pending.traced !== null) this.#trace(pending.traced, entry, startedMs);
    this.#pending.delete(pending);
    try {
      pending.settle(outcome, entry.ts);
    } catch (error) {
      // The entry stands; only its answer failed (OWN-20).
      pending.fail(error);
    }
  }

  #trace(traced: EntryTrace, { seq, kind }: LogEntry, startedMs: number): void {
    this.#options.traces?.applied(traced, { seq, kind, startedMs, endedMs: performance.now() });
  }

  #tellConfigured(seq: number, before: VenueParameters | null): void {
    const { state, onConfigured } = this.#options;
    const { parameters: after } = state;
    if (after !== before && after !== null && !this.#isReplaying) onConfigured?.({ seq, before, after });
  }

  #outcomeOf(entry: LogEntry, pending: Pending | undefined): OutcomeOf<Command['kind']> {
    const { seq, ts, kind } = entry;
    try {
      const { command } = pending ?? decodeEntry(entry);
      return apply(this.#options.state, { seq, ts, command }, this.#effects);
    } catch (cause) {
      if (cause instanceof NewerLogError) throw cause;
      const hint = `VENUE_SKIP_SEQ=${seq} starts without it`;
      throw new Error(`entry ${seq} (${kind}) cannot be applied: ${messageOf(cause)}; ${hint}`, { cause });
    }
  }

  #fail(pending: Pending, error: unknown): void {
    if (this.#pending.delete(pending)) pending.fail(error);
  }

  #stopOn(error: unknown): void {
    this.#fatal = error instanceof Error ? error : new Error(String(error));
    for (const pending of this.#pending) pending.fail(this.#fatal);
    this.#pending.clear();
    this.#options.onFatal(this.#fatal);
  }
}
