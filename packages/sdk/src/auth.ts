/** Sign-in and session keys. */

import {
  type Account,
  type Address,
  type ChallengeAnswer,
  parseAddress,
  type SessionAnswer,
  type SessionList,
  type SessionRecord,
  type SessionRevokeAnswer,
  sessionApprovalMessage,
  sessionRevokeMessage,
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
      addressOf(wallet.address),
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

  /**
   * Has the wallet revoke a session key, for ever (KEY-3). The text to sign names the expiry of the approval in
   * force: where it is not given the venue is asked, and `RangeError` is thrown when the key is not live there. A
   * revoked key that is in use here stays so; its writes are refused, and never sent unsigned instead.
   *
   * @example await venue.auth.revokeSession(wallet, session.sessionKey)
   */
  async revokeSession(
    wallet: Wallet,
    key: string,
    options: { expiresAtMs?: number } = {},
  ): Promise<SessionRevokeAnswer> {
    const account = addressOf(wallet.address);
    const sessionKey = addressOf(key);
    const expiresAtMs = options.expiresAtMs ?? (await this.#expiryOf(account, sessionKey));
    const message = sessionRevokeMessage({ account, sessionKey, expiresAtMs });
    const signature = await wallet.signMessage({ message });
    return this.#transport.post('/v1/auth/session/revoke', { address: account, sessionKey, signature });
  }

  async #expiryOf(account: Address, sessionKey: Address): Promise<number> {
    const found = (await this.sessions(account)).find((session) => session.sessionKey === sessionKey);
    if (found === undefined) throw new RangeError(`${sessionKey} is no live session key of ${account}`);
    return found.expiresAt;
  }
}

function newSession(account: Address, expiresAtMs: number): Session {
  const privateKey = randomPrivateKey();
  return { account, privateKey, sessionKey: addressOfPrivateKey(privateKey), expiresAtMs };
}

function addressOf(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new TypeError(`not an address: ${text}`);
  return parsed;
}
