/** Which blocks count: those that no reorg is expected to take away (CUS-13). */

import type { Chain } from './chain.ts';
import { ChainError } from './errors.ts';
import type { Block } from './parse.ts';

/** Blocks on top of one that counts, on a chain that calls none final. */
const CONFIRMATIONS = 12;
/** About as many blocks as an Ethereum chain takes to make one final. */
const FINALITY_BLOCKS = 96;

export class Finality {
  readonly #chain: Chain;
  readonly #log: (line: string) => void;
  #rule: number | 'finalized' | null;

  /** Null takes the chain's own word where it has one, and a number of blocks where it has none. */
  constructor(chain: Chain, rule: number | 'finalized' | null, log: (line: string) => void) {
    this.#chain = chain;
    this.#rule = rule;
    this.#log = log;
  }

  /** How many blocks a reorg that is no surprise may replace. */
  get depth(): number {
    return typeof this.#rule === 'number' ? this.#rule : FINALITY_BLOCKS;
  }

  /** The highest block that counts, when `head` is the newest; negative on a chain that is shorter than that. */
  async settled(head: Block): Promise<number> {
    if (typeof this.#rule === 'number') return head.number - this.#rule;
    const number = await this.#chain.finalized();
    if (number !== null) {
      this.#choose('finalized');
      return Math.min(number, head.number);
    }
    if (this.#rule === 'finalized') throw new ChainError('the chain calls no block final');
    this.#choose(CONFIRMATIONS);
    return head.number - CONFIRMATIONS;
  }

  /** Once chosen the rule stays: a server that no longer answers must not make deposits count earlier. */
  #choose(rule: number | 'finalized'): void {
    if (this.#rule !== null) return;
    this.#rule = rule;
    this.#log(
      rule === 'finalized'
        ? 'blocks count once the chain calls them final'
        : `the chain calls no block final: blocks count with ${rule} on top of them`,
    );
  }
}
