/** What is wrong with a log: only the first fault counts, as what follows one proves nothing. */

/** In the order in which an entry is looked at, which decides between faults of one entry. */
const STAGES = ['chain', 'entry', 'signature', 'apply', 'snapshot', 'invariant'] as const;

export interface Fault {
  readonly seq: number;
  /** One sentence that names the entry. */
  readonly message: string;
}

/** Gathers faults in whatever order they turn up, as signatures are checked beside the replay. */
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
