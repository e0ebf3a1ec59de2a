/** The newest changes of things that have numbers, so that a reader of many looks again at those alone that changed. */
export class Changes {
  readonly #numbers: number[] = [];
  readonly #kept: number;
  /** Earlier changes are not known. */
  readonly #from: number;
  #version: number;

  /** Keeps so many; counts on from a version. */
  constructor(kept: number, from = 0) {
    this.#kept = kept;
    this.#from = from;
    this.#version = from;
  }

  /** Rises by one with each change. */
  get version(): number {
    return this.#version;
  }

  note(number: number): void {
    this.#version += 1;
    this.#numbers[this.#version % this.#kept] = number;
  }

  /** Changes since a version, the oldest first, some more than once; null if that is too long ago to tell. */
  since(version: number): number[] | null {
    if (version < Math.max(this.#from, this.#version - this.#kept)) return null;
    const numbers: number[] = [];
    for (let v = version + 1; v <= this.#version; v++) numbers.push(this.#numbers[v % this.#kept]!);
    return numbers;
  }
}
