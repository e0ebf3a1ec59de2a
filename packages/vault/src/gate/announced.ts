/**
 * Announcements on chain that change who may move the money: operations of the failsafe, a proposer, and other guardians
 * (CUS-15). Each waits, and guardians may veto it meanwhile.
 */

import type { Address, Hex } from '@venue/protocol';
import { encodeEventTopics } from 'viem';
import { LogReader } from '../chain/log-reader.ts';
import type { Block, Hash } from '../chain/parse.ts';
import { operatorGateAbi } from '../contract/abi.ts';
import { proposerIdOf } from './calls.ts';
import { gateEventOf } from './events.ts';
import { callText, FailsafeOperations, type FailsafeOperationsParts } from './failsafe.ts';

export const ANNOUNCED_KINDS = ['operation', 'proposer', 'guardians'] as const;

export interface Announced {
  readonly kind: (typeof ANNOUNCED_KINDS)[number];
  /** The name that votes are given against. */
  readonly id: Hash;
  /** As people name it: the proposer's address, or the id. */
  readonly subject: Hash | Address;
  /** Its effect, in words. */
  readonly text: string;
  /** From then on it can be carried out, in seconds since 1970. */
  readonly readyAt: number;
}

const CHUNK_BLOCKS = 50_000;

/** One announcement for people, in one line; `timeText` formats seconds since 1970. */
export function announcedText(
  { kind, subject, text, readyAt }: Announced,
  timeText: (seconds: number) => string = isoTime,
): string {
  return `${kind} ${subject}, from ${timeText(readyAt)} on: ${text}`;
}

export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

export class Announcements {
  readonly #parts: FailsafeOperationsParts;
  readonly #operations: FailsafeOperations;
  /** The texts of announced guardians, by id. */
  readonly #texts = new Map<Hash, string>();

  constructor(parts: FailsafeOperationsParts) {
    this.#parts = parts;
    this.#operations = new FailsafeOperations(parts);
  }

  /**
   * Those that are pending in the head, operations first. Operations are looked for up to a block that is not expected to
   * change, or else up to the head.
   */
  async pending(head: Block, settled = head.number): Promise<readonly Announced[]> {
    await this.#operations.advance(settled);
    return [
      ...(await this.#pendingOperations(head.number)),
      ...(await this.#proposer(head.number)),
      ...(await this.#guardians(head.number)),
    ];
  }

  async #pendingOperations(at: number): Promise<readonly Announced[]> {
    const { gate } = this.#parts;
    const [vault, failsafe] = [await gate.vault(), await gate.failsafe()];
    return (await this.#operations.pending(at)).map(({ id, calls, readyAt }) => {
      const text = calls.map((call) => callText(call, vault, failsafe)).join(' and ');
      return { kind: 'operation', id, subject: id, text, readyAt };
    });
  }

  async #proposer(at: number): Promise<readonly Announced[]> {
    const { gate } = this.#parts;
    const announced = await gate.announcedProposer(at);
    if (announced === null) return [];
    const { account, readyAt } = announced;
    const id = proposerIdOf(account);
    if (await gate.isVetoed(id, at)) return [];
    return [{ kind: 'proposer', id, subject: account, text: 'may propose batches', readyAt }];
  }

  async #guardians(at: number): Promise<readonly Announced[]> {
    const { gate } = this.#parts;
    const announced = await gate.announcedGuardians(at);
    if (announced === null || (await gate.isVetoed(announced.id, at))) return [];
    const { id, readyAt } = announced;
    return [{ kind: 'guardians', id, subject: id, text: await this.#guardiansText(id, at), readyAt }];
  }

  async #guardiansText(id: Hash, at: number): Promise<string> {
    const known = this.#texts.get(id);
    if (known !== undefined) return known;
    const { gate, fromBlock } = this.#parts;
    const args = { abi: operatorGateAbi, eventName: 'GuardiansAnnounced', args: { id } } as const;
    const filter = { address: gate.address, topics: encodeEventTopics(args) as Hex[] };
    const reader = new LogReader(gate.chain, CHUNK_BLOCKS);
    const [log] = await reader.read(filter, { from: fromBlock, to: at });
    const event = log === undefined ? undefined : gateEventOf(log, gate.address);
    if (event?.eventName !== 'GuardiansAnnounced') return 'whose members the servers do not list yet';
    const { guardians, vetoes } = event.args;
    const text = `${vetoes} of ${guardians.join(', ')}`;
    this.#texts.set(id, text);
    return text;
  }
}
