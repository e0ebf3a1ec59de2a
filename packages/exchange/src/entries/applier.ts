/** Applies the entries of a log to the state once they are durable: all that a follower does, and half of a node. */

import {
  apply,
  type Command,
  type CommandKind,
  decodeEntry,
  type Effects,
  NewerLogError,
  NO_EFFECTS,
  type OutcomeOf,
  type State,
  type VenueParameters,
} from '@venue/engine';
import { type Follower, type LogEntry, messageOf, type ReadOnlyLog } from '@venue/log';
import { canApply } from '@venue/replay';

export interface ApplierOptions {
  readonly log: Pick<ReadOnlyLog, 'follow'>;
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
  /** The clock that tells how long applying takes, ms; by default the monotonic one. */
  readonly monotonicMs?: (() => number) | undefined;
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

/** A command of this process, which the log hands back with its entry. */
export interface OwnCommand {
  readonly command: Command;
  /**
   * True if `settle` needs the time at which applying began; reading the clock for every entry is avoided otherwise.
   */
  readonly isTimed: boolean;
  /** Called right after it was applied; `startedMs` is 0 where that is of no interest. */
  readonly settle: (outcome: OutcomeOf<Command['kind']>, entry: LogEntry, startedMs: number) => void;
}

export class Applier {
  readonly #options: ApplierOptions;
  #effects: Effects;
  #isReplaying = true;
  #follower: Follower | null = null;
  readonly #monotonicMs: () => number;

  constructor(options: ApplierOptions) {
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
      onError: (error) => this.stopOn(toError(error)),
    });
    const seq = await this.#follower.caughtUp;
    this.#effects = this.#options.effects;
    this.#isReplaying = false;
    return seq;
  }

  /** Ends everything: an entry cannot be applied. */
  protected stopOn(error: Error): void {
    this.#options.onFatal(error);
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
    const own = entry.local as OwnCommand | undefined;
    if (own === undefined && skipSeqs.has(entry.seq)) {
      const { seq, kind } = entry;
      if (canApply(state, entry))
        throw new Error(
          `entry ${seq} (${kind}) can be applied; VENUE_SKIP_SEQ may only name one that cannot`,
        );
      state.seq = seq;
      return;
    }
    const { parameters } = state;
    const startedMs = own?.isTimed ? performance.now() : 0;
    const outcome = this.#outcomeOf(entry, own);
    this.#options.onEntry?.();
    this.#tellConfigured(entry.seq, parameters);
    if (!this.#isReplaying) this.#options.onDecided?.(entry.kind as CommandKind, outcome);
    own?.settle(outcome, entry, startedMs);
  }

  #tellConfigured(seq: number, before: VenueParameters | null): void {
    const { state, onConfigured } = this.#options;
    const { parameters: after } = state;
    if (after !== before && after !== null && !this.#isReplaying) onConfigured?.({ seq, before, after });
  }

  #outcomeOf(entry: LogEntry, own: OwnCommand | undefined): OutcomeOf<Command['kind']> {
    const { seq, ts, kind } = entry;
    try {
      const { command } = own ?? decodeEntry(entry);
      return apply(this.#options.state, { seq, ts, command }, this.#effects);
    } catch (cause) {
      if (cause instanceof NewerLogError) throw cause;
      const hint = `VENUE_SKIP_SEQ=${seq} starts without it`;
      throw new Error(`entry ${seq} (${kind}) cannot be applied: ${messageOf(cause)}; ${hint}`, { cause });
    }
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
