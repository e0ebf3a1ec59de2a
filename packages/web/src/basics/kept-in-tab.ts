/** One object in the tab's storage, read with care: another release, or anybody, may have written it. */

export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class KeptInTab {
  readonly #storage: () => Storage;
  readonly #name: string;
  readonly #charactersMax: number;

  constructor(storage: () => Storage, name: string, charactersMax: number) {
    this.#storage = storage;
    this.#name = name;
    this.#charactersMax = charactersMax;
  }

  /** Null takes it away. Without storage, or with a full one, nothing is kept. */
  write(value: object | null): void {
    try {
      if (value === null) this.#storage().removeItem(this.#name);
      else this.#storage().setItem(this.#name, JSON.stringify(value));
    } catch {
      // Full or refused.
    }
  }

  /** Its members as they are found; none where there is no object, or a longer one than is ever written. */
  read(): Readonly<Record<string, unknown>> {
    try {
      const text = this.#storage().getItem(this.#name) ?? '';
      const found: unknown = text.length > this.#charactersMax ? null : JSON.parse(text);
      return typeof found === 'object' && found !== null ? { ...found } : {};
    } catch {
      return {};
    }
  }
}
