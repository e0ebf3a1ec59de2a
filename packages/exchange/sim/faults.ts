/** Every fault that can be injected. `npm test -- --all` requires each to occur. */

export const FAULTS = [
  // Processes.
  'node killed',
  'node killed while a write was under way',
  'node paused',
  'node stopped cleanly and started again',
  'node stopped by a failure of its own',
  'node answered nobody while out of touch',
  'clock stepped forward',
  'clock stepped back',
  // The disk of a single node.
  'flush slow',
  'flush failed',
  'disk full',
  'write lost in a crash',
  'unacknowledged write survived a crash',
  'snapshot lost in a crash',
  'snapshot damaged',
  'start from a snapshot',
  // The database of several nodes.
  'connection lost before a commit',
  'connection lost after a commit, before its answer',
  'commit made long after its connection was given up',
  'commit visible before a standby had it',
  'commit lost in a fail-over',
  'commit survived a fail-over unanswered',
  'commit that others had read lost in a fail-over',
  'fail-over',
  'node cut off from the database',
  'notification lost',
  'batch found by its id',
  // Between clients and nodes.
  'request lost',
  'request delayed',
  'request duplicated',
  'request overtaken',
  'request duplicated to another node',
  'reply lost',
  'reply delayed',
  'reply duplicated',
  'request sent again after silence',
  'copy of an acknowledged write refused by its nonce',
  'node found dead',
  // Events at the venue itself.
  'maintenance proposed by two nodes',
  'push answered without an entry',
  'series settled',
  'timed order expired',
  'guard fired',
  'deadline passed while nobody wrote',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Counts how often each fault occurred. */
export class Counts {
  readonly #times = new Map<string, number>();

  add(what: Fault): void {
    this.note(what);
  }

  /** Counts an event that is not a fault. */
  note(what: string): void {
    this.#times.set(what, (this.#times.get(what) ?? 0) + 1);
  }

  entries(): [string, number][] {
    return [...this.#times];
  }
}
