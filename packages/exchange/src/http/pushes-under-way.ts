/** Which quote sets have pushes that are not applied yet. */

import type { Address } from '@venue/protocol';

export interface SetName {
  readonly address: Address;
  readonly number: number;
}

/**
 * The pushes of this node that wait for the log, by set. While one waits, the state does not show what a later one will
 * meet, so that nothing of the later one may be left out.
 */
export class PushesUnderWay {
  readonly #counts = new Map<string, number>();

  /** Call as the push goes to the log, and dispose of it when it has been answered. */
  begin({ address, number }: SetName): Disposable & { readonly isAlone: boolean } {
    const key = `${address} ${number}`;
    const before = this.#counts.get(key) ?? 0;
    this.#counts.set(key, before + 1);
    const end = () => {
      const left = this.#counts.get(key)! - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
    return { isAlone: before === 0, [Symbol.dispose]: end };
  }
}
