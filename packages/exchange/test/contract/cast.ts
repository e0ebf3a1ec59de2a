/** The wallets and session keys of the examples: the same in every run, and belonging to nobody. */

import { createHash } from 'node:crypto';
import { sessionApprovalMessage, sessionRevokeMessage } from '@venue/protocol';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { ExampleRequest } from '../../src/openapi/examples.ts';
import { addressOf, type Json, Session, Venue } from '../support.ts';
import type { Stage } from './stage.ts';

const DAY_MS = 86_400_000;

/** The wallet or key for a name. */
export function walletOf(name: string): PrivateKeyAccount {
  const key = createHash('sha256').update(`an example of the contract: ${name}`).digest('hex');
  return privateKeyToAccount(`0x${key}`);
}

/** A wallet with a session key that never repeats a nonce. */
export class Player extends Session {
  readonly wallet: PrivateKeyAccount;
  readonly #stage: Stage;
  #last = 0;
  token = '';

  constructor(stage: Stage, name: string, keyName = `${name}'s session key`) {
    const wallet = walletOf(name);
    super(addressOf(wallet), walletOf(keyName));
    this.wallet = wallet;
    this.#stage = stage;
  }

  /** Creates a player with an approved key. */
  static async enter(stage: Stage, name: string): Promise<Player> {
    const player = new Player(stage, name);
    const { body } = await new Venue(stage.url).post('/v1/auth/session', await player.approval());
    player.token = body.token;
    return player;
  }

  override nonce(): number {
    this.#last = Math.max(this.#stage.nowMs(), this.#last + 1);
    return this.#last;
  }

  get headers(): { 'x-paper-token': string } {
    return { 'x-paper-token': this.token };
  }

  /** A signed push to the first set. */
  async push(venueId: string, body: object, nonce = this.nonce()): Promise<ExampleRequest> {
    const signed = { venueId, set: 1, body: JSON.stringify(body) };
    return { params: { set: '1' }, headers: await this.pushHeaders(signed, nonce), body };
  }

  /** The request with which the wallet approves the key. */
  async approval(expiresAt = this.#stage.nowMs() + DAY_MS, key = this.key): Promise<Json> {
    const terms = { account: this.account, sessionKey: addressOf(key), expiresAtMs: expiresAt };
    const signature = await this.wallet.signMessage({ message: sessionApprovalMessage(terms) });
    return { address: this.account, sessionKey: terms.sessionKey, expiresAt, signature };
  }

  /** The request with which the wallet revokes a key whose approval expires at `expiresAt`. */
  async revocation(expiresAt: number): Promise<Json> {
    const terms = { account: this.account, sessionKey: addressOf(this.key), expiresAtMs: expiresAt };
    const signature = await this.wallet.signMessage({ message: sessionRevokeMessage(terms) });
    return { address: this.account, sessionKey: terms.sessionKey, signature };
  }
}
