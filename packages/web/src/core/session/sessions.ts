/** Who trades on this page: approving a session key, going on with it at the next visit, and ending it. */

import { type Hex, MESSAGES } from '@venue/protocol';
import {
  type InjectedWallet,
  randomPrivateKey,
  type Session,
  UnauthorizedError,
  type VenueClient,
  type Wallet,
  walletFromPrivateKey,
} from '@venue/sdk/browser';
import type { StoreApi } from 'zustand/vanilla';
import { NOBODY, type SignedIn } from '../stores.ts';
import type { SessionStore } from './store.ts';
import { type ChosenWallet, connectWallet, isDeclined, isSameAddress } from './wallets.ts';

/** How long an approval is good for. */
export const SESSION_LIFETIME_MS = 24 * 3_600_000;
/** Timers are not trusted with longer spans, which a sleeping machine stretches. */
const EXPIRY_LOOK_MS = 30_000;

export interface SessionsOptions {
  readonly client: VenueClient;
  readonly state: StoreApi<SignedIn>;
  readonly kept: SessionStore;
  /** The venue's time in unix ms. */
  readonly now: () => number;
  /** Told once reads and writes work. */
  readonly onReady: () => void;
  /** Told when nobody is signed in any more. */
  readonly onGone: () => void;
  /** Told when what is kept for other tabs has changed. */
  readonly onKept: () => void;
}

export class Sessions {
  readonly #options: SessionsOptions;
  /** The attempt that a person waits for; another replaces it. */
  #attempt: AbortController | null = null;
  #renewing: Promise<boolean> | null = null;
  #unwatch: () => void = () => {};

  constructor(options: SessionsOptions) {
    this.#options = options;
    setInterval(() => this.#lookAtExpiry(), EXPIRY_LOOK_MS);
  }

  /** Goes on with the session of the last visit, or of another tab, without a wallet, where one is still good. */
  async restore(): Promise<void> {
    const { client, state, kept, now } = this.#options;
    const session = await kept.load();
    if (session === null) return;
    if (session.expiresAtMs <= now()) {
      this.#over('expired', session);
      return;
    }
    this.#show(session, session.wallet, 'restoring');
    // biome-ignore lint/correctness/useHookAtTopLevel: a method of the client, no hook of React
    client.auth.useSession(session);
    try {
      await client.auth.renew();
      if (state.getState().state === 'restoring') this.#ready(session, session.wallet);
    } catch (error) {
      if (error instanceof UnauthorizedError) this.#over(endOf(error), session);
      else this.#retryRestore(messageOf(error));
    }
  }

  /** Lets the extension name its account and approve a new session key. */
  async approveWith(injected: InjectedWallet): Promise<void> {
    const { name } = injected.info;
    await this.#attemptTo({ state: 'connecting', wallet: name }, async (cancelled) => {
      const chosen = await Promise.race([connectWallet(injected), cancelled]);
      await this.#approve(chosen, cancelled);
    });
  }

  /** In paper mode: an account by a key that the page makes and keeps, as nothing there is worth a wallet. */
  async approveThrowAway(given?: Hex): Promise<void> {
    const { kept } = this.#options;
    await this.#attemptTo({ state: 'connecting', wallet: null }, async (cancelled) => {
      const key = given ?? (await kept.loadWalletKey()) ?? randomPrivateKey();
      const wallet = walletFromPrivateKey(key);
      await kept.saveWalletKey(key);
      await this.#approve({ wallet, name: null }, cancelled);
    });
  }

  /** Goes back to where the person was before the wallet was asked; what it answers later is ignored. */
  cancel(): void {
    this.#attempt?.abort();
  }

  /**
   * A new token, for one that the venue has forgotten: by the approval that is kept, without the wallet. False where the
   * approval is over, which the state then says. Rejects when nobody answers.
   */
  renew(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** The venue takes the session no more: the person approves another, and what they were doing stays. */
  onRefused(error: UnauthorizedError): void {
    this.#over(endOf(error), null);
  }

  /** Ends the session key for ever, by the wallet that approved it. */
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

  /** As `revoke`, by a wallet of the browser. */
  async revokeWith(injected: InjectedWallet): Promise<void> {
    const { state } = this.#options;
    try {
      await this.revoke((await connectWallet(injected)).wallet);
    } catch (error) {
      state.setState({ fault: isDeclined(error) ? null : messageOf(error) });
    }
  }

  /** As `revoke`, by the key that the page made. */
  async revokeOwn(): Promise<void> {
    const key = await this.#options.kept.loadWalletKey();
    if (key !== null) await this.revoke(walletFromPrivateKey(key));
  }

  /** The key of a paper account that the page made, or null where there is none. */
  throwAwayKey(): Promise<Hex | null> {
    return this.#options.kept.loadWalletKey();
  }

  /** Leaves: the key is gone from this browser, though it stays approved until it expires. */
  async forget(): Promise<void> {
    this.cancel();
    await this.#options.kept.clear();
    this.#leave();
    this.#options.onKept();
  }

  /** The wallet turned to another account and the person stays with the first. */
  keepAccount(): void {
    this.#options.state.setState({ otherAddress: null });
  }

  /** Another tab signed in or out. */
  async onOtherTab(): Promise<void> {
    const { state, kept } = this.#options;
    if (!kept.isLasting) return;
    const session = await kept.load();
    const { state: own, sessionKey } = state.getState();
    if (session === null) {
      if (own === 'ready') this.#leave();
    } else if (own !== 'connecting' && own !== 'signing' && session.sessionKey !== sessionKey) {
      if (own === 'ready') this.#leave();
      await this.restore();
    }
  }

  /** One attempt at a time; a person who declines or cancels is where they were, without an error. */
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
      // A newer attempt has taken over the page.
      if (this.#attempt !== attempt) return;
      const isNoFault = attempt.signal.aborted || isDeclined(error);
      state.setState({ ...before, fault: isNoFault ? null : messageOf(error) }, true);
    } finally {
      if (this.#attempt === attempt) this.#attempt = null;
    }
  }

  async #approve({ wallet, name, onOther }: ChosenWallet, cancelled: Promise<never>): Promise<void> {
    const { client, state, kept, onKept } = this.#options;
    state.setState({ state: 'signing', address: wallet.address, wallet: name });
    const other = { address: null as string | null };
    const unwatch = onOther?.((address) => {
      other.address = address;
      state.setState({ otherAddress: address });
    });
    // What is cancelled never reaches the venue: a wallet that signs late has signed in vain.
    const cancellable: Wallet = {
      address: wallet.address,
      signMessage: (text) => Promise.race([wallet.signMessage(text), cancelled]),
    };
    try {
      const session = await client.auth.approveSession(cancellable, { lifetimeMs: SESSION_LIFETIME_MS });
      await kept.save({ ...session, approval: session.approval!, wallet: name });
      this.#unwatch();
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

  /** The venue could not be asked: the session may be as good as ever. */
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

  /** The account stays in sight, so that the person sees whose session it was. */
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

const RESTORE_RETRY_MS = 3_000;

function endOf(error: UnauthorizedError): 'expired' | 'revoked' {
  return error.message === MESSAGES.unknownSessionKey.error ? 'revoked' : 'expired';
}

function isOtherSigner(error: unknown): boolean {
  return error instanceof UnauthorizedError && error.message === MESSAGES.approvalNotByAccount.error;
}

function otherSignerText(first: string, other: string | null): string {
  const by = other === null ? 'another account' : `the account ${other}`;
  return `Your wallet signed with ${by}, and you had chosen ${first}. Select that account in the wallet, or sign in again with the other.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
