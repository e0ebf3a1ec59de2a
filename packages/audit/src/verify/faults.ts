/** Faults of a log. Only the first counts, because nothing after a fault is proven. */

/** The order of the checks on an entry, which decides between two faults of the same entry. */
const STAGES = ['chain', 'entry', 'signature', 'apply', 'snapshot', 'invariant'] as const;

export interface Fault {
  readonly seq: number;
  /** One sentence that names the entry. */
  readonly message: string;
}

/** Accepts faults in any order, because signatures are checked in parallel with the replay. */
export class Faults {
  #first: (Fault & { readonly stage: number }) | null = null;

  get first(): Fault | null {
    if (this.#first === null) return null;
    const { seq, message } = this.#first;
    return { seq, message };
  }

  add(stage: (typeof STAGES)[number], seq: number, message: string): void {
    const fault = { seq, message, stage: STAGES.indexOf(stage) };
    const first = this.#first;
    if (first === null || seq < first.seq || (seq === first.seq && fault.stage < first.stage))
      this.#first = fault;
  }
}
