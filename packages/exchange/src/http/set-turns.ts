/** Lets the pushes to a quote set go one at a time. */

import type { Address } from '@venue/protocol';
import { Turns } from './turns.ts';

export interface SetName {
  readonly address: Address;
  readonly number: number;
}

interface Line {
  readonly turns: Turns;
  waiting: number;
}

/**
 * The entry of a push depends on what the one before it left (QTS-6), so the next one is compared with the state only
 * once that is applied. It orders the pushes of this node alone: those to one set belong at one node.
 */
export class SetTurns {
  readonly #lines = new Map<string, Line>();

  /** Resolves once every earlier push to the set has been answered. Dispose of the turn with the answer. */
  async take({ address, number }: SetName): Promise<Disposable> {
    const key = `${address} ${number}`;
    const line = this.#lines.get(key) ?? { turns: new Turns(), waiting: 0 };
    this.#lines.set(key, line);
    line.waiting += 1;
    const turn = await line.turns.take();
    const end = () => {
      turn.pass();
      line.waiting -= 1;
      if (line.waiting === 0) this.#lines.delete(key);
    };
    return { [Symbol.dispose]: end };
  }
}
