/** Asks the checker's own nodes what the log says that contract wallets approved (CUS-19). */

import type { AttestedApproval, FollowedLog } from '@venue/audit';
import { type Address, sessionApprovalMessage } from '@venue/protocol';
import { type Chain, ChainError, each, judgeSignature } from '@venue/vault/parts';
import type { CheckerFile } from './state.ts';

export interface AttestedParts {
  readonly chain: Chain;
  readonly chainId: number;
  readonly file: Pick<CheckerFile, 'isConfirmed' | 'confirm'>;
  readonly seen: ReadonlySet<string>;
  readonly log: (line: string) => void;
}

type Standing = 'confirmed' | 'forged' | 'open';
type Trades = FollowedLog['trades'];

interface Doubt {
  readonly approval: AttestedApproval;
  readonly standing: Exclude<Standing, 'confirmed'>;
}

/** Approvals asked about again in one round: strangers' contracts may be many, and cost calls of the checker's nodes. */
const AGAIN_MAX = 16;

/**
 * The approvals of the log that no signature proves. One that its contract does not confirm holds back payouts of its
 * account, and of those who traded with its session. Anybody can make such an approval, so it says nothing of the others.
 */
export class AttestedApprovals {
  readonly #parts: AttestedParts;
  /** By the number of the entry; the one that was asked about last comes last. */
  readonly #doubts = new Map<number, Doubt>();

  constructor(parts: AttestedParts) {
    this.#parts = parts;
  }

  /** Why payouts of an account have to wait, or null. */
  heldOf(account: Address, trades: Trades): string | null {
    for (const { approval, standing } of this.#doubts.values()) {
      const { address } = approval;
      const isPartner = trades.partnersOf(approval).has(account);
      if (address !== account && !isPartner) continue;
      const whose = isPartner ? `${account} traded with a session whose approval` : 'an approval that';
      const what = standing === 'forged' ? 'does not accept' : 'has not confirmed';
      return `${whose} ${address} ${what} (entry:${approval.id})`;
    }
    return null;
  }

  /** How many approvals are not confirmed. */
  get doubts(): number {
    return this.#doubts.size;
  }

  /** Begins again, for a log that was restored. */
  restart(): void {
    this.#doubts.clear();
  }

  /** Asks about new approvals, and again about some of those still open. */
  async advance(approvals: readonly AttestedApproval[], trades: Trades, headNumber: number): Promise<void> {
    const { file, seen } = this.#parts;
    const isSettled = (one: AttestedApproval) => file.isConfirmed(one) || seen.has(`entry:${one.id}`);
    const again = [...this.#doubts.values()]
      .filter(({ standing }) => standing === 'open')
      .slice(0, AGAIN_MAX);
    const asked = approvals.filter((one) => !isSettled(one));
    // In doubt until it is answered, so that a failure on the way forgets none.
    for (const approval of asked) this.#doubts.set(approval.id, { approval, standing: 'open' });
    const due = [...again.map(({ approval }) => approval), ...asked];
    const standings = await each(due, (approval) => this.#standing(approval, headNumber));
    const confirmed = due.filter((_, i) => standings[i] === 'confirmed');
    await file.confirm(confirmed);
    for (const [i, approval] of due.entries()) this.#note(approval, standings[i]!);
    for (const approval of [...confirmed, ...approvals.filter(isSettled)]) this.#forget(approval, trades);
  }

  #note(approval: AttestedApproval, standing: Standing): void {
    const { id, address } = approval;
    this.#doubts.delete(id);
    if (standing === 'confirmed') return;
    this.#doubts.set(id, { approval, standing });
    if (standing === 'forged')
      this.#parts.log(
        `ALARM: the log has an approval by ${address} that the contract does not accept: its payouts wait, and those ` +
          `of accounts that traded with its session; entry:${id} in VENUE_CHECKER_SEEN settles it`,
      );
  }

  /** Its trades matter no longer, unless another approval of the same session is in doubt. */
  #forget({ address, sessionKey }: AttestedApproval, trades: Trades): void {
    const isOpen = ({ approval }: Doubt) =>
      approval.address === address && approval.sessionKey === sessionKey;
    if (![...this.#doubts.values()].some(isOpen)) trades.forget({ address, sessionKey });
  }

  /**
   * The contract's answer at the attestor's block decides. If that block is unavailable, as on a node that keeps no old
   * state, one that holds now will do, and any other stays open.
   */
  async #standing(approval: AttestedApproval, headNumber: number): Promise<Standing> {
    const { attestation } = approval;
    if (attestation.chainId !== this.#parts.chainId) return 'forged';
    if (await this.#isThere(attestation, headNumber)) {
      const accepts = await this.#accepts(approval, attestation.blockNumber);
      if (accepts !== null) return accepts ? 'confirmed' : 'forged';
    }
    return (await this.#accepts(approval, headNumber)) ? 'confirmed' : 'open';
  }

  async #isThere(
    { blockNumber, blockHash }: AttestedApproval['attestation'],
    headNumber: number,
  ): Promise<boolean> {
    if (blockNumber > headNumber) return false;
    return (await this.#parts.chain.block(blockNumber)).hash === blockHash;
  }

  /** Null without an answer: a contract is anybody's code, and must not stop the checker. */
  async #accepts(
    { address, sessionKey, expiresAt, signature }: AttestedApproval,
    at: number,
  ): Promise<boolean | null> {
    const text = sessionApprovalMessage({ account: address, sessionKey, expiresAtMs: expiresAt });
    try {
      return (await judgeSignature(this.#parts.chain, { address, text, signature }, at)) === 'valid';
    } catch (error) {
      if (error instanceof ChainError) return null;
      throw error;
    }
  }
}
