/** Sign-in and session keys. */

import {
  type Account,
  type Address,
  type ChallengeAnswer,
  type Hex,
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
import { checkInteger, checkTime } from './checks.ts';
import type { Credentials } from './credentials.ts';
import type { Transport } from './transport.ts';
import { randomPrivateKey, type Session, type Wallet } from './wallet.ts';

const SESSION_LIFETIME_MS = 24 * 3_600_000;
const SESSION_LIFETIME_MS_MAX = 30 * 24 * 3_600_000;

/** The venue's reading of a signed body: the text it rebuilt, and who signed it. */
export interface EnvelopeExplanation {
  readonly text: string;
  /** Its EIP-191 digest, hex. */
  readonly digest: string;
  /** Signer of that text, or null if the signature fits no key. */
  readonly recovered: string | null;
  /** The expected signer. */
  readonly expected: string;
}

export class Auth {
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(transport: Transport, credentials: Credentials) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  /**
   * Proves the wallet's address and keeps the bearer token for reads. Throws `UnauthorizedError` if the signature is
   * not the wallet's, and the wallet's own error if it does not sign.
   *
   * @example (await venue.auth.signIn(wallet)).cash
   */
  async signIn(wallet: Wallet): Promise<Account> {
    const { address } = wallet;
    const query = { address };
    const { message } = await this.#transport.get<ChallengeAnswer>('/v1/auth/challenge', { query });
    const signature = await wallet.signMessage({ message });
    const answer = await this.#transport.post<VerifyAnswer>('/v1/auth/verify', { address, signature });
    this.#credentials.token = answer.token;
    this.#credentials.wallet = wallet;
    return answer.account;
  }

  /**
   * Creates a session key, has the wallet approve it and starts using it: from then on writes are signed, and reads
   * have a token. Opens the account as sign-in would. The key lives for a day unless `lifetimeMs` says otherwise, and
   * 30 days at most (`RangeError`). Keep the returned session for later use (`useSession`); it holds a private key.
   *
   * @example const session = await venue.auth.approveSession(wallet, { lifetimeMs: 3_600_000 });
   */
  async approveSession(wallet: Wallet, options: { lifetimeMs?: number } = {}): Promise<Session> {
    const lifetimeMs = checkInteger('lifetimeMs', options.lifetimeMs ?? SESSION_LIFETIME_MS, 1);
    if (lifetimeMs > SESSION_LIFETIME_MS_MAX) {
      throw new RangeError(`lifetimeMs ${lifetimeMs} is more than 30 days`);
    }
    const unapproved = newSession(addressOf(wallet.address), this.#credentials.now() + lifetimeMs);
    const approval = await wallet.signMessage({ message: sessionApprovalMessage(unapproved) });
    const session = { ...unapproved, approval };
    await this.#postApproval(session, approval);
    this.#credentials.session = session;
    return session;
  }

  /**
   * Signs writes with a session key that was approved before. Reads also need a token: `renew` gets one.
   *
   * @example
   * venue.auth.useSession(session);
   * await venue.auth.renew();
   */
  useSession(session: Session): void {
    if (!session?.privateKey) throw new TypeError('a session has a private key');
    this.#credentials.session = session;
  }

  /**
   * Gets a new bearer token after the venue has refused the old one, as it may after a restart. Uses the approval of
   * the current session, which may be shown repeatedly (KEY-2), or else asks the last signed-in wallet to sign again.
   * Throws `TypeError` if there is neither, and `UnauthorizedError` for an expired or revoked session.
   *
   * @example await venue.auth.renew()
   */
  async renew(): Promise<void> {
    const { session, wallet } = this.#credentials;
    if (session?.approval !== undefined) await this.#postApproval(session, session.approval);
    else if (wallet !== null) await this.signIn(wallet);
    else throw new TypeError('neither a session nor a wallet to sign in with');
  }

  /**
   * Live session keys of an address.
   *
   * @example (await venue.auth.sessions(wallet.address))[0].sessionKey
   */
  async sessions(address: string): Promise<SessionRecord[]> {
    const query = { address: addressOf(address) };
    const { sessions } = await this.#transport.get<SessionList>('/v1/auth/session', { query });
    return sessions;
  }

  /**
   * Has the wallet revoke a session key permanently (KEY-3). The text to sign names the expiry of the approval in
   * force. If it is not given, the venue is asked, and `RangeError` is thrown if the key is not live there. A revoked
   * key stays in use here; its writes are refused, and never sent unsigned instead.
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
    const { expiresAtMs: given } = options;
    const expiresAtMs =
      given === undefined
        ? await this.#expiryOf(account, sessionKey)
        : checkTime('expiresAtMs', given, 'milliseconds');
    const message = sessionRevokeMessage({ account, sessionKey, expiresAtMs });
    const signature = await wallet.signMessage({ message });
    return this.#transport.post('/v1/auth/session/revoke', { address: account, sessionKey, signature });
  }

  /**
   * Shows the text that the venue rebuilds for a signed body and whom it takes for its signer, for clients whose
   * signatures are refused. Executes nothing and spends no nonce.
   *
   * @example (await venue.auth.explain(signCancel(session, {}, Date.now()))).recovered
   */
  explain(signedBody: object): Promise<EnvelopeExplanation> {
    return this.#transport.post('/v1/debug/envelope', signedBody);
  }

  async #postApproval({ account, sessionKey, expiresAtMs }: Session, signature: Hex): Promise<void> {
    const body = { address: account, sessionKey, expiresAt: expiresAtMs, signature };
    this.#credentials.token = (await this.#transport.post<SessionAnswer>('/v1/auth/session', body)).token;
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
