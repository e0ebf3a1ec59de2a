/** Texts by key, the oldest of which go once all together are too long. */

export class KeptTexts<K> {
  readonly #texts = new Map<K, string>();
  readonly #charsMax: number;
  #chars = 0;

  constructor(charsMax: number) {
    this.#charsMax = charsMax;
  }

  get(key: K): string | undefined {
    return this.#texts.get(key);
  }

  set(key: K, text: string): void {
    this.delete(key);
    this.#texts.set(key, text);
    this.#chars += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#chars <= this.#charsMax) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const text = this.#texts.get(key);
    if (text === undefined) return;
    this.#texts.delete(key);
    this.#chars -= text.length;
  }
}
