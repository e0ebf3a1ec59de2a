/** Who trades on this page: approving a session key, going on with it at the next visit, and ending it. */

import {
  randomPrivateKey,
  type Session,
  UnauthorizedError,
  type VenueClient,
  type Wallet,
  walletFromPrivateKey,
} from '@venue/sdk/browser';
import type { StoreApi } from 'zustand/vanilla';
import type { SessionStore } from './session-store.ts';
import { NOBODY, type SignedIn } from './stores.ts';

/** How long an approval is good for. */
export const SESSION_LIFETIME_MS = 24 * 3_600_000;

/** A wallet that a person chose, and the name that it is shown under; none for a key that the page made. */
export interface ChosenWallet {
  readonly wallet: Wallet;
  readonly name: string | null;
}

export interface SessionsOptions {
  readonly client: VenueClient;
  readonly state: StoreApi<SignedIn>;
  readonly kept: SessionStore;
  /** Told once reads and writes work. */
  readonly onReady: () => void;
}

export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Goes on with the session of the last visit, without a wallet, where there is one that is still good. */
  async restore(): Promise<void> {
    const { client, state, kept } = this.#options;
    const session = await kept.load();
    if (session === null) return;
    if (session.expiresAtMs <= Date.now()) {
      state.setState({ ...NOBODY, state: 'expired', address: session.account, wallet: session.wallet });
      return;
    }
    this.#show(session, session.wallet, 'restoring');
    // biome-ignore lint/correctness/useHookAtTopLevel: a method of the client, no hook of React
    client.auth.useSession(session);
    try {
      await client.auth.renew();
      this.#ready(session, session.wallet);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) {
        state.setState({ fault: messageOf(error) });
        return;
      }
      await kept.clear();
      state.setState({ ...NOBODY, state: 'expired', address: session.account, wallet: session.wallet });
    }
  }

  /** Has the wallet approve a new session key. A person who declines is where they were, without an error. */
  async approve({ wallet, name }: ChosenWallet): Promise<void> {
    const { client, state, kept } = this.#options;
    state.setState({
      ...NOBODY,
      state: 'signing',
      address: wallet.address,
      wallet: name,
      isLasting: kept.isLasting,
    });
    try {
      const session = await client.auth.approveSession(wallet, { lifetimeMs: SESSION_LIFETIME_MS });
      await kept.save({ ...session, approval: session.approval!, wallet: name });
      this.#ready(session, name);
    } catch (error) {
      state.setState({ ...NOBODY, fault: isDeclined(error) ? null : messageOf(error) });
    }
  }

  /** In paper mode: an account by a key that the page makes and keeps, as nothing there is worth a wallet. */
  async approveThrowAway(): Promise<void> {
    const { kept } = this.#options;
    const key = (await kept.loadWalletKey()) ?? randomPrivateKey();
    await kept.saveWalletKey(key);
    await this.approve({ wallet: walletFromPrivateKey(key), name: null });
  }

  /** Ends the session key for ever, by the wallet that approved it. */
  async revoke(wallet: Wallet): Promise<void> {
    const { client, state } = this.#options;
    const { sessionKey, expiresAtMs } = state.getState();
    if (sessionKey === null || expiresAtMs === null) return;
    try {
      await client.auth.revokeSession(wallet, sessionKey, { expiresAtMs });
      await this.forget();
    } catch (error) {
      state.setState({ fault: isDeclined(error) ? null : messageOf(error) });
    }
  }

  /** The wallet of a key that the page made, or null where there is none. */
  async throwAwayWallet(): Promise<Wallet | null> {
    const key = await this.#options.kept.loadWalletKey();
    return key === null ? null : walletFromPrivateKey(key);
  }

  /** Leaves: the key is gone from this browser, though it stays approved until it expires. */
  async forget(): Promise<void> {
    await this.#options.kept.clear();
    this.#options.state.setState(NOBODY);
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
      fault: null,
    });
  }

  #ready(session: Session, wallet: string | null): void {
    this.#show(session, wallet, 'ready');
    this.#options.onReady();
  }
}

/** Wallets refuse with the code of EIP-1193 for a person's no. */
function isDeclined(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 4001;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
