/** Sign-in and session keys. */

import {
  type Account,
  type Address,
  type ChallengeAnswer,
  type Hex,
  type ParkedSession,
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
import { Backoff, pause } from '../net/backoff.ts';
import { checkInteger, checkTime } from '../net/checks.ts';
import { isRefusedAs, UnauthorizedError, VenueTimeoutError } from '../net/errors.ts';
import type { Transport } from '../net/transport.ts';
import { namingTheClock } from '../net/venue-clock.ts';
import type { Credentials } from './credentials.ts';
import type { VenuePin } from './venue-pin.ts';
import {
  type AnyWallet,
  HIDDEN,
  hiding,
  randomPrivateKey,
  type Session,
  type Wallet,
  walletFromPrivateKey,
  walletOf,
} from './wallet.ts';

const SESSION_LIFETIME_MS = 24 * 3_600_000;
const SESSION_LIFETIME_MS_MAX = 30 * 24 * 3_600_000;
/** The venue waits as long for the chain. */
const CONTRACT_TIMEOUT_MS = 10 * 60_000;
/** Ever less often: the edge lets ten requests a minute through. */
const CONTRACT_POLLS = { firstMs: 1_000, limitMs: 10_000 };
const UNAUTHORIZED = 401;

/** How long to wait for the chain's word on a contract's signature, and for how long the session is to live. */
export interface ContractApprovalOptions {
  readonly lifetimeMs?: number;
  /** By default ten minutes, after which the venue has forgotten it. */
  readonly timeoutMs?: number;
}

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
  readonly #pin: VenuePin;

  constructor(transport: Transport, credentials: Credentials, pin: VenuePin) {
    this.#transport = transport.toNodes();
    this.#credentials = credentials;
    this.#pin = pin;
  }

  /**
   * Proves the wallet's address and keeps the bearer token for reads. Throws `UnauthorizedError` if the signature is
   * not the wallet's, and the wallet's own error if it does not sign.
   *
   * @example (await venue.auth.signIn(wallet)).cash
   */
  async signIn(given: AnyWallet): Promise<Account> {
    const wallet = await walletOf(given);
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
   * 30 days at most (`RangeError`). It is pinned to this address and the deployment there. Keep the session for later use
   * with `exportSession`; it holds a private key.
   *
   * @example const session = await venue.auth.approveSession(wallet, { lifetimeMs: 3_600_000 });
   */
  async approveSession(given: AnyWallet, options: { lifetimeMs?: number } = {}): Promise<Session> {
    const wallet = await walletOf(given);
    const unapproved = await this.#newSession(wallet, options);
    const approval = await wallet.signMessage({ message: sessionApprovalMessage(unapproved) });
    const session = hiding({ ...unapproved, approval });
    const { now } = this.#credentials;
    this.#credentials.token = await this.#tokenOf(session, approval).catch(async (error) => {
      throw await namingTheClock(error, this.#transport, now);
    });
    this.#credentials.session = session;
    return session;
  }

  /**
   * Same as `approveSession`, for a contract wallet such as a Safe or a 4337 account: `signMessage` resolves with what
   * its `isValidSignature` accepts, wrapped as ERC-6492 says while it is not deployed. Resolves once the venue's
   * attestor has the chain's word, which takes as long as a block takes to count there (CUS-19). Throws
   * `UnauthorizedError` if it is refused or lapses, and `VenueTimeoutError` if it waits for longer than `timeoutMs`.
   *
   * @example const session = await venue.auth.approveSessionByContract(safe, { lifetimeMs: 3_600_000 });
   */
  async approveSessionByContract(given: AnyWallet, options: ContractApprovalOptions = {}): Promise<Session> {
    const wallet = await walletOf(given);
    const session = hiding({ ...(await this.#newSession(wallet, options)), byContract: true });
    const { account: address, sessionKey, expiresAtMs: expiresAt } = session;
    const signature = await wallet.signMessage({ message: sessionApprovalMessage(session) });
    const body = { address, sessionKey, expiresAt, signature };
    const parked = await this.#transport.post<ParkedSession>('/v1/auth/session/contract', body);
    await this.#approved(parked, options);
    await this.signIn(keyOfContract(session));
    this.#credentials.session = session;
    return session;
  }

  /**
   * Signs writes with a session key that was approved before. Reads also need a token: `renew` gets one. Throws
   * `TypeError` for a key that was approved at another address: each has one of its own (VEN-1).
   *
   * @example
   * venue.auth.useSession(session);
   * await venue.auth.renew();
   */
  useSession(session: Session): void {
    if (!session?.privateKey) throw new TypeError('a session has a private key');
    if ((session.privateKey as string) === HIDDEN)
      throw new TypeError(
        'the private key of this session was hidden when it became JSON: keep exportSession(session)',
      );
    const { url } = this.#transport;
    if (session.url !== undefined && session.url !== url)
      throw new TypeError(`this session key is of ${session.url}: approve one of its own for ${url}`);
    this.#credentials.session = hiding(session);
  }

  /**
   * Gets a new bearer token after the venue has refused the old one, as it may after a restart. Uses the approval of
   * the current session, which may be shown repeatedly (KEY-2), or the session key of a contract wallet, or else asks the last signed-in wallet to sign again.
   * Throws `TypeError` if there is neither, `UnauthorizedError` for an expired or revoked session, and
   * `VenueChangedError` if another deployment answers.
   *
   * @example await venue.auth.renew()
   */
  async renew(): Promise<void> {
    const { session, wallet } = this.#credentials;
    if (session !== null || wallet !== null) await this.#pin.verify(this.#transport);
    if (session?.byContract) await this.signIn(keyOfContract(session));
    else if (session?.approval !== undefined) {
      const token = await this.#tokenOf(session, session.approval).catch((error) => {
        throw isRefusedAs(error, 'bad-expiry') ? sessionOver(session) : error;
      });
      // Another session may be in use by now, of which this token is not.
      if (this.#credentials.session === session) this.#credentials.token = token;
    } else if (wallet !== null) await this.signIn(wallet);
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
    wallet: AnyWallet,
    key: string,
    options: { expiresAtMs?: number } = {},
  ): Promise<SessionRevokeAnswer> {
    const body = await this.#revocation(wallet, key, options);
    return this.#transport.post('/v1/auth/session/revoke', body);
  }

  /**
   * Same as `revokeSession`, for a contract wallet. Resolves once the chain has confirmed it, and throws as
   * `approveSessionByContract` does (CUS-19).
   *
   * @example
   * const { sessionKey } = await venue.auth.approveSessionByContract(safe);
   * await venue.auth.revokeSessionByContract(safe, sessionKey);
   */
  async revokeSessionByContract(
    wallet: AnyWallet,
    key: string,
    options: { expiresAtMs?: number; timeoutMs?: number } = {},
  ): Promise<ParkedSession> {
    const body = await this.#revocation(wallet, key, options);
    const parked = await this.#transport.post<ParkedSession>('/v1/auth/session/contract/revoke', body);
    return this.#approved(parked, options);
  }

  /**
   * The outcome of an approval or a revocation by a contract wallet. Throws `NotFoundError` for one that is forgotten.
   *
   * @example (await venue.auth.parked(parkedId)).state
   */
  parked(id: number): Promise<ParkedSession> {
    return this.#transport.get('/v1/auth/session/contract', { query: { id } });
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

  async #newSession(wallet: Wallet, options: { readonly lifetimeMs?: number }): Promise<Session> {
    const lifetimeMs = checkInteger('lifetimeMs', options.lifetimeMs ?? SESSION_LIFETIME_MS, 1);
    if (lifetimeMs > SESSION_LIFETIME_MS_MAX)
      throw new RangeError(`lifetimeMs ${lifetimeMs} is more than 30 days`);
    const account = addressOf(wallet.address);
    const unapproved = newSession(account, (await this.#credentials.time()) + lifetimeMs);
    const venue = await this.#pin.verify(this.#transport);
    return { ...unapproved, url: this.#transport.url, ...(venue !== null && { venue }) };
  }

  async #revocation(signer: AnyWallet, key: string, { expiresAtMs: given }: { expiresAtMs?: number }) {
    const wallet = await walletOf(signer);
    const account = addressOf(wallet.address);
    const sessionKey = addressOf(key);
    const expiresAtMs =
      given === undefined
        ? await this.#expiryOf(account, sessionKey)
        : checkTime('expiresAtMs', given, 'milliseconds');
    const message = sessionRevokeMessage({ account, sessionKey, expiresAtMs });
    return { address: account, sessionKey, signature: await wallet.signMessage({ message }) };
  }

  /** Waits until a parked approval is answered, and throws unless it is approved. */
  async #approved(
    { id }: ParkedSession,
    { timeoutMs = CONTRACT_TIMEOUT_MS }: { readonly timeoutMs?: number },
  ): Promise<ParkedSession> {
    const untilMs = performance.now() + timeoutMs;
    const polls = new Backoff(CONTRACT_POLLS);
    for (;;) {
      const parked = await this.parked(id);
      if (parked.state === 'approved') return parked;
      if (parked.state !== 'parked')
        throw new UnauthorizedError(
          UNAUTHORIZED,
          parked.reason ?? parked.state,
          parked.code ?? 'sdk:not-approved',
        );
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) throw new VenueTimeoutError('the chain has not confirmed it in time');
      await pause(Math.min(polls.next(), leftMs));
    }
  }

  async #tokenOf({ account, sessionKey, expiresAtMs }: Session, signature: Hex): Promise<string> {
    const body = { address: account, sessionKey, expiresAt: expiresAtMs, signature };
    return (await this.#transport.post<SessionAnswer>('/v1/auth/session', body)).token;
  }

  async #expiryOf(account: Address, sessionKey: Address): Promise<number> {
    const found = (await this.sessions(account)).find((session) => session.sessionKey === sessionKey);
    if (found === undefined) throw new RangeError(`${sessionKey} is no live session key of ${account}`);
    return found.expiresAt;
  }
}

function sessionOver({ expiresAtMs }: Session): UnauthorizedError {
  const text = `the session ended at ${new Date(expiresAtMs).toISOString()}: approve a new one, which lives for a day unless lifetimeMs says otherwise`;
  return new UnauthorizedError(UNAUTHORIZED, text, 'session-expired');
}

/** A session key in the place of the contract that approved it. */
function keyOfContract({ account, privateKey }: Session): Wallet {
  return { ...walletFromPrivateKey(privateKey), address: account };
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
