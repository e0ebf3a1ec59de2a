/** Asks the chain whether contract wallets approved the session keys of payouts, in place of the exchange's word (CUS-19). */

import {
  type OperatorPayout,
  parseAddress,
  type SessionTerms,
  sessionApprovalMessage,
} from '@venue/protocol';
import type { Chain } from '../chain/chain.ts';
import { judgeSignature } from '../chain/contract-signature.ts';
import { ChainError } from '../chain/errors.ts';
import type { PayoutSource } from './due.ts';

/** A contract that did not accept an approval, or failed, is asked again only after this time. */
const ASK_AGAIN_MS = 60_000;
const REMEMBERED_MAX = 100_000;

type Row = Pick<OperatorPayout, 'address' | 'withdrawal' | 'approval'>;

/** A list of payouts whose rows come once their contracts were asked. */
export class ContractApprovals implements PayoutSource {
  readonly #source: PayoutSource;
  readonly #chain: Chain;
  readonly #accepted = new Set<string>();
  readonly #askedAtMs = new Map<string, number>();

  constructor(source: PayoutSource, chain: Chain) {
    this.#source = source;
    this.#chain = chain;
  }

  async *payouts(scope: { state: 'requested' }): AsyncGenerator<OperatorPayout, void> {
    for await (const row of this.#source.payouts(scope)) {
      if (row.approval?.attestation !== undefined) await this.#ask(row);
      yield row;
    }
  }

  /** True if the contract accepted the approval when it was asked. A change of owners since ends no session. */
  accepts(row: Row): boolean {
    return this.#accepted.has(keyOf(row));
  }

  /** A contract is anybody's code: that it fails, or that servers disagree about it, holds up its own payout alone. */
  async #ask(row: Row): Promise<void> {
    const key = keyOf(row);
    const account = parseAddress(row.address);
    const sessionKey = parseAddress(row.withdrawal?.sessionKey ?? '');
    if (account === undefined || sessionKey === undefined || this.#accepted.has(key)) return;
    if (performance.now() - (this.#askedAtMs.get(key) ?? -ASK_AGAIN_MS) < ASK_AGAIN_MS) return;
    if (this.#askedAtMs.size >= REMEMBERED_MAX) this.#askedAtMs.clear();
    if (this.#accepted.size >= REMEMBERED_MAX) this.#accepted.clear();
    this.#askedAtMs.set(key, performance.now());
    if (await this.#isSigned({ account, sessionKey, expiresAtMs: row.approval!.expiresAt }, row))
      this.#accepted.add(key);
  }

  async #isSigned(terms: SessionTerms, { approval }: Row): Promise<boolean> {
    if (!Number.isSafeInteger(terms.expiresAtMs)) return false;
    const signature = approval!.signature as `0x${string}`;
    const signed = { address: terms.account, text: sessionApprovalMessage(terms), signature };
    try {
      const { number } = await this.#chain.head();
      return (await judgeSignature(this.#chain, signed, number)) === 'valid';
    } catch (error) {
      if (error instanceof ChainError) return false;
      throw error;
    }
  }
}

function keyOf({ address, withdrawal, approval }: Row): string {
  return JSON.stringify([address, withdrawal?.sessionKey, approval?.expiresAt, approval?.signature]);
}
