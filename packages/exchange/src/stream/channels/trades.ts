/** The public trades of one underlying, oldest first. */

import type { TapePrint } from '@venue/engine';
import { tradeView } from '../../views/market.ts';
import type { Tape } from '../../views/tape.ts';
import { type Change, type Content, NO_CHANGES } from './content.ts';

/** As many as `GET /v1/tape` shows. */
const SHOWN = 50;
const MEMBER = 'trades';

export class TradesContent implements Content {
  readonly #tape: Tape;
  readonly #symbol: string;
  #fresh: TapePrint[] = [];
  #count = 0;
  #version = 0;

  constructor(tape: Tape, symbol: string) {
    this.#tape = tape;
    this.#symbol = symbol;
  }

  get version(): number {
    return this.#version;
  }

  /** Takes in a trade that the tape has. */
  add(print: TapePrint): void {
    this.#version += 1;
    this.#fresh.push(print);
  }

  snapshot(): string {
    const shown = this.#tape.newest(this.#symbol, SHOWN).reverse();
    return `"symbol":${JSON.stringify(this.#symbol)},"${MEMBER}":[${shown.map(rowOf).join(',')}]`;
  }

  changes(): readonly Change[] {
    const fresh = this.#fresh;
    if (fresh.length === 0) return NO_CHANGES;
    this.#fresh = [];
    return fresh.map((print) => ({ member: MEMBER, key: this.#count++, json: rowOf(print) }));
  }
}

function rowOf(print: TapePrint): string {
  return JSON.stringify(tradeView(print));
}
