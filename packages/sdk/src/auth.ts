/** Sign-in and session keys. */

import {
  type Account,
  type Address,
  type ChallengeAnswer,
  parseAddress,
  type SessionAnswer,
  type SessionList,
  type SessionRecord,
  sessionApprovalMessage,
  type VerifyAnswer,
} from '@venue/protocol';
import { addressOfPrivateKey } from '@venue/protocol/signing';
import type { Credentials } from './credentials.ts';
import type { Transport } from './transport.ts';
import { randomPrivateKey, type Session, type Wallet } from './wallet.ts';

const SESSION_LIFETIME_MS = 24 * 3_600_000;

export class Auth {
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(transport: Transport, credentials: Credentials) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  /** Proves the wallet's address and keeps the bearer token for reads. */
  async signIn(wallet: Wallet): Promise<Account> {
    const { address } = wallet;
    const query = { address };
    const { message } = await this.#transport.get<ChallengeAnswer>('/v1/auth/challenge', { query });
    const signature = await wallet.signMessage({ message });
    const answer = await this.#transport.post<VerifyAnswer>('/v1/auth/verify', { address, signature });
    this.#credentials.token = answer.token;
    return answer.account;
  }

  /**
   * Makes a session key, has the wallet approve it and puts it to use: from here on writes are signed. Opens
   * the account as sign-in would. Keep the returned session to go on with it later (`useSession`).
   */
  async approveSession(wallet: Wallet, options: { lifetimeMs?: number } = {}): Promise<Session> {
    const session = newSession(
      walletAddress(wallet),
      Date.now() + (options.lifetimeMs ?? SESSION_LIFETIME_MS),
    );
    const { account: address, sessionKey, expiresAtMs: expiresAt } = session;
    const signature = await wallet.signMessage({ message: sessionApprovalMessage(session) });
    const body = { address, sessionKey, expiresAt, signature };
    const answer = await this.#transport.post<SessionAnswer>('/v1/auth/session', body);
    this.#credentials.token = answer.token;
    this.#credentials.useSession(session);
    return session;
  }

  /** Signs writes with a session key that was approved before. */
  useSession(session: Session): void {
    this.#credentials.useSession(session);
  }

  /** Live session keys of an address. */
  async sessions(address: string): Promise<SessionRecord[]> {
    const { sessions } = await this.#transport.get<SessionList>('/v1/auth/session', { query: { address } });
    return sessions;
  }
}

function newSession(account: Address, expiresAtMs: number): Session {
  const privateKey = randomPrivateKey();
  return { account, privateKey, sessionKey: addressOfPrivateKey(privateKey), expiresAtMs };
}

function walletAddress({ address }: Wallet): Address {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw new TypeError(`not an address: ${address}`);
  return parsed;
}
