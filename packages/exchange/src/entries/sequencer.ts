/** The only way to change the state: appends commands to the log, and applies entries once they are durable. */

import { assertWritable, type Command, encodeCommand, type OutcomeOf, type State } from '@venue/engine';
import type { Log, LogEntry } from '@venue/log';
import type { EntryTrace, EntryTraces } from '../observe/entry-traces.ts';
import { Applier, type ApplierOptions, type OwnCommand } from './applier.ts';

export interface SequencerOptions extends ApplierOptions {
  readonly log: Pick<Log, 'append' | 'follow'>;
  /** Called when the log refuses a command. */
  readonly onRefused?: () => void;
  /** Follows the entries of traced requests; by default none. */
  readonly traces?: EntryTraces | undefined;
}

/** A command waiting for the log. */
interface Pending extends OwnCommand {
  readonly fail: (error: unknown) => void;
}

export class Sequencer extends Applier {
  readonly #log: SequencerOptions['log'];
  readonly #state: State;
  readonly #traces: EntryTraces | undefined;
  readonly #onRefused: (() => void) | undefined;
  readonly #pending = new Set<Pending>();
  #fatal: Error | null = null;

  constructor(options: SequencerOptions) {
    super(options);
    this.#log = options.log;
    this.#state = options.state;
    this.#traces = options.traces;
    this.#onRefused = options.onRefused;
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
    const traced = this.#traces?.submitted() ?? null;
    return new Promise<T>((resolve, reject) => {
      const pending: Pending = {
        command,
        isTimed: traced !== null,
        settle: (outcome, entry, startedMs) => {
          if (traced !== null) this.#trace(traced, entry, startedMs);
          this.#pending.delete(pending);
          try {
            resolve(render(outcome as OutcomeOf<C['kind']>, entry.ts));
          } catch (error) {
            // The entry stands; only its answer failed (OWN-20).
            reject(error);
          }
        },
        fail: reject,
      };
      this.#append(pending);
    });
  }

  /** Commands of this process waiting for the log. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  protected override stopOn(error: Error): void {
    this.#fatal = error;
    for (const pending of this.#pending) pending.fail(error);
    this.#pending.clear();
    super.stopOn(error);
  }

  #append(pending: Pending): void {
    if (this.#fatal !== null) {
      pending.fail(this.#fatal);
      return;
    }
    const { command } = pending;
    assertWritable(this.#state, command);
    const body = encodeCommand(command);
    this.#pending.add(pending);
    this.#log.append([{ kind: command.kind, body, local: pending }]).catch((error) => {
      this.#fail(pending, error);
      this.#onRefused?.();
    });
  }

  #trace(traced: EntryTrace, { seq, kind }: LogEntry, startedMs: number): void {
    this.#traces?.applied(traced, { seq, kind, startedMs, endedMs: performance.now() });
  }

  #fail(pending: Pending, error: unknown): void {
    if (this.#pending.delete(pending)) pending.fail(error);
  }
}
