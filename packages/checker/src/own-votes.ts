/** What this guardian has voted against, as the chain has it and as it was sent a moment ago. */

import type { Address } from '@venue/protocol';
import { type Block, type Gate, gateEventOf, type Hash, votesFilter } from '@venue/vault/parts';

/** Blocks that are read again each round, as a reorg may have changed them. */
const AGAIN_BLOCKS = 128;
const CHUNK_BLOCKS = 2_000;
/** A vote that was sent and is in no log yet counts for so many blocks: an index of logs may lag. */
const SENT_BLOCKS = 32;

export class OwnVotes {
  readonly #gate: Gate;
  readonly #guardian: Address;
  /** The block of each vote. */
  #blocks = new Map<Hash, number>();
  /** The head when a vote was sent. */
  readonly #sentAt = new Map<Hash, number>();
  #nextBlock: number;
  #head = 0;

  constructor(gate: Gate, guardian: Address, fromBlock: number) {
    this.#gate = gate;
    this.#guardian = guardian;
    this.#nextBlock = fromBlock;
  }

  has(id: Hash): boolean {
    return this.#blocks.has(id) || this.isSent(id);
  }

  /** A moment ago, and possibly in no log yet. */
  isSent(id: Hash): boolean {
    const sentAt = this.#sentAt.get(id);
    return sentAt !== undefined && this.#head < sentAt + SENT_BLOCKS;
  }

  noteSent(id: Hash): void {
    this.#sentAt.set(id, this.#head);
  }

  async advance({ number: head }: Block): Promise<void> {
    const filter = votesFilter(this.#gate.address, this.#guardian);
    const from = this.#nextBlock;
    this.#head = head;
    const kept = new Map([...this.#blocks].filter(([, block]) => block < from));
    for (let at = from; at <= head; at += CHUNK_BLOCKS) {
      const logs = await this.#gate.chain.logs(filter, at, Math.min(head, at + CHUNK_BLOCKS - 1));
      for (const log of logs) {
        const event = gateEventOf(log, this.#gate.address);
        if (event.eventName === 'VetoVoted') kept.set(event.args.id as Hash, log.blockNumber);
      }
    }
    this.#blocks = kept;
    this.#nextBlock = Math.max(from, head + 1 - AGAIN_BLOCKS);
  }
}
