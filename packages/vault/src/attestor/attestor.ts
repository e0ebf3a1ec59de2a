/** Answers the approvals of contract wallets that the exchange has parked (CUS-19). */

import {
  type AttestRequest,
  type ParkedRow,
  parseAddress,
  sessionApprovalMessage,
  sessionRevokeMessage,
} from '@venue/protocol';
import { type CustodyCalls, VenueError } from '@venue/sdk';
import type { Chain } from '../chain/chain.ts';
import { type ContractSigned, judgeSignature, type Verdict } from '../chain/contract-signature.ts';
import { ChainError, DisagreementError } from '../chain/errors.ts';
import type { Finality } from '../chain/finality.ts';
import type { Block } from '../chain/parse.ts';
import { each } from '../chain/rpc.ts';
import { orAlarm } from '../daemon/rounds.ts';
import type { StepHook } from '../daemon/state-file.ts';
import type { AttestorMetrics } from './metrics.ts';

export interface AttestorParts {
  readonly chain: Chain;
  readonly chainId: number;
  readonly exchange: Pick<CustodyCalls, 'parked' | 'attest'>;
  readonly finality: Finality;
  readonly metrics: AttestorMetrics;
  readonly log: (line: string) => void;
  readonly onStep: StepHook;
}

/** Servers differ for a moment at the tip of a chain; after this many rounds in a row a person has to look. */
const DISAGREEMENTS_MAX = 3;
const NOT_FOUND = 404;
/** Asked about before the list is read again, so that a revocation waits for so many others and not for a full lot. */
const ASKED_TOGETHER = 32;

/** The two blocks at which a signature has to hold. */
interface Blocks {
  readonly head: Block;
  readonly settled: Block;
}

export class Attestor {
  readonly #parts: AttestorParts;
  /** Rounds in which the servers disagreed about an approval, by its id. */
  #disagreements = new Map<number, number>();
  /** Approvals of which it has been said that they wait. */
  #waiting = new Set<number>();

  constructor(parts: AttestorParts) {
    this.#parts = parts;
  }

  /**
   * Answers what can be answered, in the order of the exchange's list. What cannot be stays parked, and keeps nobody
   * else waiting.
   */
  async round(): Promise<void> {
    const { exchange, metrics } = this.#parts;
    const parked = await exchange.parked();
    metrics.parked(parked.length);
    this.#forgetAllBut(new Set(parked.map(({ id }) => id)));
    const failures: (ChainError | null)[] = [];
    const asked = new Set<number>();
    for (let next = parked.slice(0, ASKED_TOGETHER); next.length > 0; ) {
      const blocks = await this.#blocks();
      failures.push(...(await each(next, (row) => this.#answer(row, blocks))));
      for (const { id } of next) asked.add(id);
      // A round asks about no more than there were at its start, so that it ends while others go on parking.
      const since = asked.size < parked.length ? await exchange.parked() : [];
      next = since.filter(({ id }) => !asked.has(id)).slice(0, ASKED_TOGETHER);
    }
    const failure = failures.find((one) => one !== null);
    if (failure !== undefined && failures.every((one) => one !== null)) throw failure;
  }

  #forgetAllBut(ids: ReadonlySet<number>): void {
    this.#disagreements = new Map([...this.#disagreements].filter(([id]) => ids.has(id)));
    this.#waiting = new Set([...this.#waiting].filter((id) => ids.has(id)));
  }

  async #blocks(): Promise<Blocks> {
    const { chain, finality } = this.#parts;
    const head = await chain.head();
    const number = await finality.settled(head);
    if (number < 0)
      throw new ChainError(`the chain has no block yet that counts; its head is ${head.number}`);
    return { head, settled: await chain.block(number) };
  }

  /** Returns why the chain could not answer, or null. */
  async #answer(row: ParkedRow, blocks: Blocks): Promise<ChainError | null> {
    try {
      const answer = await this.#judge(row, blocks);
      this.#disagreements.delete(row.id);
      if (answer === null) this.#wait(row);
      else await this.#post(row, answer);
      return null;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      this.#sayFailure(row, error);
      return error;
    }
  }

  /**
   * A signature counts if the contract accepts it at the newest block and at one that no reorg takes away: an owner who
   * was removed a moment ago can approve nothing, and one who was added must wait. Null while it waits.
   */
  async #judge(row: ParkedRow, { head, settled }: Blocks): Promise<AttestRequest | null> {
    const signed = signedBy(row);
    const now = await this.#verdictAt(signed, head);
    if (now !== 'valid') return this.#request(row, now, head);
    const verdict = await this.#verdictAt(signed, settled);
    return verdict === 'valid' ? this.#request(row, verdict, settled) : null;
  }

  async #verdictAt(signed: ContractSigned, { number, hash }: Block): Promise<Verdict> {
    const { chain } = this.#parts;
    const verdict = await judgeSignature(chain, signed, number);
    if ((await chain.block(number)).hash !== hash)
      throw new ChainError(`block ${number} changed while a contract was asked`);
    return verdict;
  }

  #request({ id }: ParkedRow, verdict: Verdict, { number, hash }: Block): AttestRequest {
    return { id, verdict, chainId: this.#parts.chainId, blockNumber: number, blockHash: hash };
  }

  async #post(row: ParkedRow, request: AttestRequest): Promise<void> {
    const { exchange, metrics, log, onStep } = this.#parts;
    onStep('judged');
    const what = `the answer to ${row.act} ${row.id} of ${row.address}`;
    const answer = await orAlarm(what, () => exchange.attest(request).catch(nullIfGone));
    onStep('attested');
    if (answer === null) return;
    metrics.answered(request.verdict);
    const why = answer.reason === null ? '' : `: ${answer.reason}`;
    log(`${row.act} ${row.id} of ${row.address}: ${answer.state} at block ${request.blockNumber}${why}`);
  }

  #wait({ id, act, address }: ParkedRow): void {
    if (this.#waiting.has(id)) return;
    this.#waiting.add(id);
    this.#parts.log(
      `${act} ${id} of ${address} waits: the contract accepts it in a block that may still change`,
    );
  }

  #sayFailure({ id, act, address }: ParkedRow, error: ChainError): void {
    const rounds = (this.#disagreements.get(id) ?? 0) + (error instanceof DisagreementError ? 1 : 0);
    this.#disagreements.set(id, rounds);
    if (rounds !== DISAGREEMENTS_MAX) return;
    this.#parts.log(`ALARM: ${act} ${id} of ${address} is not answered: ${error.message}`);
  }
}

/** An approval is gone if it has lapsed, or was answered: by an attempt whose answer was lost, or by another attestor. */
function nullIfGone(error: unknown): null {
  if (error instanceof VenueError && error.status === NOT_FOUND) return null;
  throw error;
}

/** The text that the contract is said to have signed: that of a key (KEY-1, KEY-3). */
function signedBy({ act, address, sessionKey, expiresAt, signature }: ParkedRow): ContractSigned {
  const account = parseAddress(address)!;
  const terms = { account, sessionKey: parseAddress(sessionKey)!, expiresAtMs: expiresAt };
  const text = act === 'approve' ? sessionApprovalMessage(terms) : sessionRevokeMessage(terms);
  return { address: account, text, signature: signature as ContractSigned['signature'] };
}
