/** The public trades of one underlying, oldest first. */

import type { Instrument, TapePrint } from '@venue/engine';
import { tradeView } from '../../views/market.ts';
import type { Tape } from '../../views/tape.ts';
import { type Change, type Content, NO_CHANGES } from './content.ts';
import { type EndReason, endOfUnderlying } from './ends.ts';

/** As many as `GET /v1/tape` shows. */
const SHOWN = 50;
const MEMBER = 'trades';

export class TradesContent implements Content {
  readonly #tape: Tape;
  readonly #instrument: Instrument;
  #fresh: TapePrint[] = [];
  #count = 0;
  #version = 0;

  constructor(tape: Tape, instrument: Instrument) {
    this.#tape = tape;
    this.#instrument = instrument;
  }

  get ended(): EndReason | null {
    return endOfUnderlying(this.#instrument);
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
    const { symbol } = this.#instrument;
    const shown = this.#tape.newest(symbol, SHOWN).reverse();
    return `"symbol":${JSON.stringify(symbol)},"${MEMBER}":[${shown.map(rowOf).join(',')}]`;
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
