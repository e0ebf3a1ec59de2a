/** The session of this page: approving a session key, resuming it at the next visit, and ending it. */

import type { Hex } from '@venue/protocol';
import {
  type InjectedWallet,
  randomPrivateKey,
  type Session,
  UnauthorizedError,
  VenueChangedError,
  type VenueClient,
  type Wallet,
  walletFromPrivateKey,
} from '@venue/sdk/browser';
import type { StoreApi } from 'zustand/vanilla';
import { messageOf } from '../basics/failure-words.ts';
import type { KeptSession } from './kept-session.ts';
import type { NewPaper, PaperAccounts } from './paper-accounts.ts';
import { endOf, isOtherSigner, otherSignerText } from './refusals.ts';
import { NOBODY, type SignedIn } from './state.ts';
import type { SessionStore } from './store.ts';
import { type ChosenWallet, connectWallet, isDeclined, isSameAddress } from './wallets.ts';

/** Lifetime of an approval. */
export const SESSION_LIFETIME_MS = 24 * 3_600_000;
/** Expiry is checked at this interval, as a sleeping machine delays longer timers. */
const EXPIRY_LOOK_MS = 30_000;

export interface SessionsOptions {
  readonly client: VenueClient;
  readonly state: StoreApi<SignedIn>;
  readonly kept: SessionStore;
  /** The venue's time in unix ms. */
  readonly now: () => number;
  /** Called once reads and writes work. */
  readonly onReady: () => void;
  /** Called on sign-out. */
  readonly onGone: () => void;
  /** Called when the data stored for other tabs has changed. */
  readonly onKept: () => void;
}

export class Sessions {
  readonly #options: SessionsOptions;
  /** The current sign-in attempt; a new one replaces it. */
  #attempt: AbortController | null = null;
  #renewing: Promise<boolean> | null = null;
  #restoring: Promise<void> = Promise.resolve();
  #unwatch: () => void = () => {};

  constructor(options: SessionsOptions) {
    this.#options = options;
    setInterval(() => this.#lookAtExpiry(), EXPIRY_LOOK_MS);
  }

  /** Resumes the session of the last visit, or of another tab, without a wallet, if it is still valid. One at a time. */
  restore(): Promise<void> {
    this.#restoring = this.#restoring.catch(() => {}).then(() => this.#restore());
    return this.#restoring;
  }

  async #restore(): Promise<void> {
    const { client, state, kept, now } = this.#options;
    const session = await kept.load();
    const shown = state.getState();
    if (session === null || (shown.state === 'ready' && shown.sessionKey === session.sessionKey)) return;
    if (shown.state === 'ready') this.#leave();
    if (session.expiresAtMs <= now()) {
      this.#over('expired', session);
      return;
    }
    this.#show(session, session.wallet, 'restoring');
    // biome-ignore lint/correctness/useHookAtTopLevel: a method of the client, no hook of React
    client.auth.useSession(session);
    // It may have been cancelled, or be another's by now.
    const isAsked = () => {
      const { state: own, sessionKey } = state.getState();
      return own === 'restoring' && sessionKey === session.sessionKey;
    };
    try {
      await client.auth.renew();
      if (isAsked()) this.#ready(session, session.wallet);
    } catch (error) {
      if (!isAsked()) return;
      if (error instanceof UnauthorizedError) this.#over(endOf(error), session);
      else if (!(error instanceof VenueChangedError)) this.#retryRestore(messageOf(error));
    }
  }

  /** Asks the extension for its account and for the approval of a new session key. */
  async approveWith(injected: InjectedWallet): Promise<void> {
    const { name } = injected.info;
    await this.#attemptTo({ state: 'connecting', wallet: name }, async (cancelled) => {
      const chosen = await Promise.race([connectWallet(injected), cancelled]);
      await this.#approve(chosen, { cancelled, keep: async () => {} });
    });
  }

  /** In paper mode: signs in with a key that the page keeps, as no real money is at risk; a new one where none is given. */
  async approveThrowAway(key: Hex = randomPrivateKey(), how: NewPaper = {}): Promise<void> {
    const { papers } = this.#options.kept;
    await this.#attemptTo({ state: 'connecting', wallet: null }, async (cancelled) => {
      const wallet = walletFromPrivateKey(key);
      if ((await papers.keyOf(wallet.address)) === null) await papers.assertRoom();
      const keep = (session: KeptSession) => papers.add(key, { ...how, session });
      await this.#approve({ wallet, name: null }, { cancelled, keep });
    });
  }

  /** The paper accounts of this browser. */
  get papers(): PaperAccounts {
    return this.#options.kept.papers;
  }

  /** A paper account with fresh cash that takes name and place of the one in use, which stays as an old one. */
  startOver(): Promise<void> {
    const { address } = this.#options.state.getState();
    return this.approveThrowAway(randomPrivateKey(), address === null ? {} : { replaces: address });
  }

  /**
   * Goes on with another paper account of this browser, by its session where that still stands at this venue. Rejects
   * where that cannot be found out.
   */
  async switchTo(address: string): Promise<void> {
    const { kept, state, onKept } = this.#options;
    const key = await kept.papers.keyOf(address);
    if (key === null) {
      state.setState({ fault: 'The key of this account is not in this browser any more.' });
      return;
    }
    const standing = await kept.papers.sessionOf(address);
    if (standing === null || !(await this.#stands(standing))) return this.approveThrowAway(key);
    this.cancel();
    await kept.save(standing);
    // It only notes the time of use: a browser that refuses to keep that is no reason to stop.
    await kept.papers.keepSession(address, standing).catch(() => {});
    this.#leave();
    onKept();
    await this.restore();
    const { state: own } = state.getState();
    if (own === 'expired' || own === 'revoked') await this.approveThrowAway(key);
  }

  /** The client stops for good at a session of another venue, which an address may have had before (VEN-1). */
  async #stands({ expiresAtMs, venue }: KeptSession): Promise<boolean> {
    const { client, now } = this.#options;
    if (expiresAtMs <= now()) return false;
    return venue === undefined || (await client.market.venue()).venue === venue;
  }

  /** Deletes a paper account's key from this browser, and signs out where it is the one in use. */
  async forgetPaper(address: string): Promise<void> {
    const { kept, state, onKept } = this.#options;
    const used = state.getState().address;
    await kept.papers.forget(address);
    if (used !== null && isSameAddress(used, address)) await this.forget();
    else onKept();
  }

  /** Returns to the state before the wallet was asked; a later answer is ignored. */
  cancel(): void {
    this.#attempt?.abort();
  }

  /**
   * Replaces a token that the venue has forgotten, using the stored approval, without the wallet. False where the
   * approval has ended, which the state then shows. Rejects when the venue does not answer.
   */
  renew(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** The venue rejects the session: the person approves a new one, and keeps their work. */
  onRefused(error: UnauthorizedError): void {
    this.#over(endOf(error), null);
  }

  /** Revokes the session key permanently, signed by the wallet that approved it. */
  async revoke(wallet: Wallet): Promise<void> {
    const { client, state } = this.#options;
    const { sessionKey, expiresAtMs, address } = state.getState();
    if (sessionKey === null || expiresAtMs === null || address === null) return;
    if (!isSameAddress(wallet.address, address)) {
      state.setState({ fault: `Choose the account ${address} in your wallet: it approved this session.` });
      return;
    }
    try {
      await client.auth.revokeSession(wallet, sessionKey, { expiresAtMs });
      await this.forget();
    } catch (error) {
      state.setState({ fault: isDeclined(error) ? null : messageOf(error) });
    }
  }

  /** Like `revoke`, with a wallet of the browser. */
  async revokeWith(injected: InjectedWallet): Promise<void> {
    const { state } = this.#options;
    try {
      await this.revoke((await connectWallet(injected)).wallet);
    } catch (error) {
      state.setState({ fault: isDeclined(error) ? null : messageOf(error) });
    }
  }

  /** Like `revoke`, with the key the page generated. */
  async revokeOwn(): Promise<void> {
    const key = await this.throwAwayKey();
    if (key !== null) await this.revoke(walletFromPrivateKey(key));
  }

  /** The key of the paper account in use, or null where this browser no longer has it. */
  async throwAwayKey(): Promise<Hex | null> {
    const { state, kept } = this.#options;
    const { address } = state.getState();
    return address === null ? null : kept.papers.keyOf(address);
  }

  /** Signs out: deletes the session key from this browser, though it stays approved until it expires. */
  async forget(): Promise<void> {
    const { kept, state, onKept } = this.#options;
    const { address } = state.getState();
    this.cancel();
    // Whatever the browser still does with its storage, this page has signed out.
    await kept.clear().catch(() => {});
    if (address !== null) await kept.papers.keepSession(address, null).catch(() => {});
    this.#leave();
    onKept();
  }

  /** Another venue answers: nothing can be signed any more. The stored session stays, as it is still good at its own. */
  stop(): void {
    this.cancel();
    this.#leave();
  }

  /** The wallet switched accounts and the person stays with the first. */
  keepAccount(): void {
    this.#options.state.setState({ otherAddress: null });
  }

  /** Follows a sign-in or sign-out in another tab. */
  async onOtherTab(): Promise<void> {
    const { state, kept } = this.#options;
    if (!kept.isLasting) return;
    const session = await kept.load();
    const { state: own, sessionKey } = state.getState();
    if (session === null) {
      if (own === 'ready') this.#leave();
    } else if (own !== 'connecting' && own !== 'signing' && session.sessionKey !== sessionKey) {
      await this.restore();
    }
  }

  /** One attempt at a time; declining or cancelling restores the state before, without an error. */
  async #attemptTo(
    shown: Pick<SignedIn, 'state' | 'wallet'>,
    run: (cancelled: Promise<never>) => Promise<void>,
  ): Promise<void> {
    const { state, kept } = this.#options;
    this.cancel();
    const attempt = new AbortController();
    const before = { ...state.getState(), fault: null };
    const cancelled = new Promise<never>((_, reject) => {
      attempt.signal.addEventListener('abort', () => reject(attempt.signal.reason));
    });
    cancelled.catch(() => {});
    this.#attempt = attempt;
    state.setState({ ...before, ...shown, isLasting: kept.isLasting });
    try {
      await run(cancelled);
    } catch (error) {
      // A newer attempt has replaced this one.
      if (this.#attempt !== attempt) return;
      const isNoFault = attempt.signal.aborted || isDeclined(error);
      state.setState({ ...before, fault: isNoFault ? null : messageOf(error) }, true);
    } finally {
      if (this.#attempt === attempt) this.#attempt = null;
    }
  }

  async #approve({ wallet, name, onOther }: ChosenWallet, { cancelled, keep }: Approval): Promise<void> {
    const { client, state, kept, onKept, onGone } = this.#options;
    const before = state.getState();
    state.setState({ state: 'signing', address: wallet.address, wallet: name });
    const other = { address: null as string | null };
    const unwatch = onOther?.((address) => {
      other.address = address;
      state.setState({ otherAddress: address });
    });
    // A cancelled attempt never reaches the venue, even if the wallet signs later.
    const cancellable: Wallet = {
      address: wallet.address,
      signMessage: (text) => Promise.race([wallet.signMessage(text), cancelled]),
    };
    try {
      const session = await client.auth.approveSession(cancellable, { lifetimeMs: SESSION_LIFETIME_MS });
      const record = { ...session, approval: session.approval!, wallet: name };
      await kept.save(record);
      await keep(record);
      this.#unwatch();
      // What the page shows of the account before must not stand under the name of the next.
      if (before.address !== null && !isSameAddress(before.address, wallet.address)) onGone();
      this.#unwatch = unwatch ?? (() => {});
      this.#ready(session, name);
      state.setState({ otherAddress: other.address });
      onKept();
    } catch (error) {
      unwatch?.();
      throw isOtherSigner(error) ? new Error(otherSignerText(wallet.address, other.address)) : error;
    }
  }

  async #renew(): Promise<boolean> {
    try {
      await this.#options.client.auth.renew();
      return true;
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      this.#over(endOf(error), null);
      return false;
    }
  }

  /** The venue did not answer: the session may still be valid. */
  #retryRestore(fault: string): void {
    const { state } = this.#options;
    state.setState({ fault });
    setTimeout(() => {
      if (state.getState().state === 'restoring') void this.restore();
    }, RESTORE_RETRY_MS);
  }

  #lookAtExpiry(): void {
    const { state, now } = this.#options;
    const { state: own, expiresAtMs } = state.getState();
    if (own === 'ready' && expiresAtMs !== null && expiresAtMs <= now()) this.#over('expired', null);
  }

  /** The account stays visible, so that the person sees whose session it was. */
  #over(end: 'expired' | 'revoked', session: (Session & { readonly wallet: string | null }) | null): void {
    const { state, onGone } = this.#options;
    const shown = state.getState();
    this.#unwatch();
    state.setState(
      {
        ...NOBODY,
        state: end,
        address: session?.account ?? shown.address,
        wallet: session === null ? shown.wallet : session.wallet,
        isLasting: shown.isLasting,
      },
      true,
    );
    onGone();
  }

  #leave(): void {
    this.#unwatch();
    this.#options.state.setState(NOBODY, true);
    this.#options.onGone();
  }

  #show(session: Session, wallet: string | null, next: SignedIn['state']): void {
    const { state, kept } = this.#options;
    state.setState({
      state: next,
      address: session.account,
      sessionKey: session.sessionKey,
      expiresAtMs: session.expiresAtMs,
      wallet,
      isLasting: kept.isLasting,
      otherAddress: null,
      fault: null,
    });
  }

  #ready(session: Session, wallet: string | null): void {
    this.#show(session, wallet, 'ready');
    this.#options.onReady();
  }
}

interface Approval {
  /** Rejects once the attempt is cancelled. */
  readonly cancelled: Promise<never>;
  /** Keeps the session with its account. Never rejects: from the approval on the client acts for that account. */
  readonly keep: (session: KeptSession) => Promise<void>;
}

const RESTORE_RETRY_MS = 3_000;
