/** Proposes batches to the gate, sized so that little waits, and executes them once they are due (CUS-15). */

import type { Address, Hex } from '@venue/protocol';
import { keccak256 } from 'viem';
import { usdText } from '../chain/amounts.ts';
import type { RpcRefusal } from '../chain/errors.ts';
import type { Block, Hash } from '../chain/parse.ts';
import { Reminder } from '../daemon/reminder.ts';
import type { VaultPayout, VaultRefusal } from '../events/vault.ts';
import { type BatchView, SHARE } from '../gate/batches.ts';
import { executeCall, type GatePayout, gateBatchId, proposeCall } from '../gate/calls.ts';
import { type Gate, gateRefusalOf } from '../gate/gate.ts';
import type { GateLook, OwnBatches } from '../gate/own-batches.ts';
import type { Committer, Step } from './committer.ts';
import { batchIdOf } from './signer.ts';

export interface GateCommitterParts {
  readonly gate: Gate;
  readonly own: OwnBatches;
  readonly config: { readonly chainId: number; readonly vault: Address };
  readonly log: (line: string) => void;
}

export class GateCommitter implements Committer {
  readonly #parts: GateCommitterParts;
  readonly #vetoed: Reminder;
  readonly #usedUp: Reminder;
  readonly #aboveCap: Reminder;

  constructor(parts: GateCommitterParts) {
    this.#parts = parts;
    this.#vetoed = new Reminder(parts.log);
    this.#usedUp = new Reminder(parts.log);
    this.#aboveCap = new Reminder(parts.log);
  }

  get to(): Address {
    return this.#parts.gate.address;
  }

  async proposed(head: Block): Promise<readonly VaultPayout[]> {
    const { open, vetoed, usedUp, bounds } = await this.#parts.own.look(head);
    if (vetoed.length === 0) this.#vetoed.over();
    else this.#vetoed.say(`ALARM: guardians have vetoed ${vetoed.map(batchText).join('; ')}`);
    if (usedUp.length === 0) this.#usedUp.over();
    else
      this.#usedUp.say(
        `ALARM: somebody used up the numbers of payouts ${usedUp.map(({ id }) => id).join(', ')} with other terms: ` +
          'void them, and have them asked for again',
      );
    return [
      ...open.flatMap(({ payouts }) => payouts),
      ...vetoedAlone(vetoed, head, bounds.longDelay),
      ...usedUp,
    ].map(numbered);
  }

  async overdue(head: Block): Promise<readonly Step[]> {
    const { open } = await this.#parts.own.look(head);
    return open
      .filter(({ state }) => state === 'due')
      .map(({ id, batchId, payouts }) => ({
        kind: 'execute',
        batchId: id,
        name: batchId,
        payouts: payouts.map(numbered),
      }));
  }

  /** The payouts that fit into the free allowance; else those that fit into the short delay's; else the first alone. */
  async select<P extends VaultPayout>(due: readonly P[], head: Block): Promise<readonly P[]> {
    const look = await this.#parts.own.look(head);
    const possible = due.filter(({ amount }) => BigInt(amount) <= look.bounds.capMax);
    if (possible.length === due.length) this.#aboveCap.over();
    else
      this.#aboveCap.say(
        `ALARM: ${due.length - possible.length} payouts are above the gate's cap of ${usdText(look.bounds.capMax)}`,
      );
    // One of a vetoed batch is bad, and is to be vetoed alone.
    const suspects = new Set(look.vetoed.flatMap(({ payouts }) => payouts.map(({ id }) => Number(id))));
    const suspect = possible.find(({ id }) => suspects.has(id));
    if (suspect !== undefined) return [suspect];
    const { free, short } = roomsOf(look);
    const atOnce = fitting(possible, free);
    if (atOnce.length > 0) return atOnce;
    const soon = fitting(possible, short);
    return soon.length > 0 ? soon : possible.slice(0, 1);
  }

  async step<P extends VaultPayout>(payouts: readonly P[]): Promise<Step<P>> {
    const { gate, config } = this.#parts;
    const rows = payouts.map(toGate);
    // What was vetoed, or has expired, takes another name.
    let name = batchIdOf(config, payouts);
    while ((await gate.proposalOf(gateBatchId(name, rows))) !== null) name = keccak256(name) as Hash;
    return { kind: 'propose', batchId: gateBatchId(name, rows), name, payouts };
  }

  call({ kind, name, payouts }: Step): Hex {
    const rows = payouts.map(toGate);
    return kind === 'execute' ? executeCall(name, rows) : proposeCall(name, rows);
  }

  refusalOf(refusal: RpcRefusal): VaultRefusal | null {
    return gateRefusalOf(refusal);
  }
}

/**
 * Payouts that were vetoed alone rest until a long delay after their proposal, so that guardians and batcher do not go
 * round after round; those of a larger batch are proposed again at once, each alone.
 */
function vetoedAlone(
  vetoed: readonly BatchView[],
  { timestampSeconds }: Block,
  longDelay: number,
): GatePayout[] {
  return vetoed
    .filter(({ payouts, proposedAt }) => payouts.length === 1 && timestampSeconds < proposedAt + longDelay)
    .flatMap(({ payouts }) => payouts);
}

/** The amounts that may still be committed at once, and after the short delay, beside what is already proposed. */
export function roomsOf({ open, bounds, usage }: Pick<GateLook, 'open' | 'bounds' | 'usage'>): {
  free: bigint;
  short: bigint;
} {
  const waiting = open.reduce((sum, { total }) => sum + total, 0n);
  const cap = bounds.capMax - usage.all - waiting;
  return {
    free: least(bounds.freeMax - usage.free, cap),
    short: least(usage.uncommitted / SHARE - usage.short - waiting, cap),
  };
}

/** The payouts that fit into a room together, in their order; one that does not leaves its place to those after it. */
function fitting<P extends VaultPayout>(payouts: readonly P[], room: bigint): readonly P[] {
  let left = room;
  return payouts.filter(({ amount }) => {
    if (BigInt(amount) > left) return false;
    left -= BigInt(amount);
    return true;
  });
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function toGate({ id, account, amount }: VaultPayout): GatePayout {
  return { id: BigInt(id), account, amount: BigInt(amount) };
}

/** Only what this batcher's key has proposed comes here, and that had numbers that are exact. */
function numbered({ id, account, amount }: GatePayout): VaultPayout {
  return { id: Number(id), account, amount: Number(amount) };
}

function batchText({ id, payouts, total }: BatchView): string {
  return `${id}: payouts ${payouts.map((one) => one.id).join(', ')}, ${usdText(total)}`;
}
