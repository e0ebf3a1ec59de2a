/** The votes that this guardian has cast, as the chain has them and as they were sent a moment ago. */

import type { Address } from '@venue/protocol';
import { type Block, FollowedLogs, type Gate, gateEventOf, type Hash, votesFilter } from '@venue/vault/parts';

/** A guardian has few votes; servers that refuse so wide a range are asked for smaller ones. */
const CHUNK_BLOCKS = 50_000;
/** A vote that an index which lagged at the start has hidden is given again, which the gate refuses. */
const AGAIN_MS = 3_600_000;
/** A vote that was sent and is in no block yet counts for so many blocks. */
const SENT_BLOCKS = 32;

export class OwnVotes {
  readonly #gate: Gate;
  readonly #logs: FollowedLogs;
  #given: ReadonlySet<Hash> = new Set();
  /** The head when a vote was sent. */
  readonly #sentAt = new Map<Hash, number>();
  #head = 0;

  constructor(gate: Gate, guardian: Address, fromBlock: number) {
    this.#gate = gate;
    this.#logs = new FollowedLogs({
      ...{ chain: gate.chain, filter: votesFilter(gate.address, guardian), fromBlock },
      ...{ chunkBlocks: CHUNK_BLOCKS, againMs: AGAIN_MS },
    });
  }

  has(id: Hash): boolean {
    return this.#given.has(id) || this.isSent(id);
  }

  /** A moment ago, and possibly in no block yet. */
  isSent(id: Hash): boolean {
    const sentAt = this.#sentAt.get(id);
    return sentAt !== undefined && this.#head < sentAt + SENT_BLOCKS;
  }

  noteSent(id: Hash): void {
    this.#sentAt.set(id, this.#head);
  }

  async advance(head: Block): Promise<void> {
    const logs = await this.#logs.read(head);
    this.#head = head.number;
    this.#given = new Set(
      logs.flatMap((log) => {
        const event = gateEventOf(log, this.#gate.address);
        return event.eventName === 'VetoVoted' ? [event.args.id as Hash] : [];
      }),
    );
  }
}
