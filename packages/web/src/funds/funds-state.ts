/** What the page knows of the money in and out of the vault. */

import type { InjectedWallet, Payout, Reserves } from '@venue/sdk/browser';
import type { Progress, Purpose, SentTransaction } from './progress.ts';
import type { VaultView } from './vault-chain.ts';
import type { VaultSite } from './vault-site.ts';

/** How the wallet stands; only `ready` can read and send. */
export type WalletState = 'looking' | 'none' | 'unconnected' | 'other-account' | 'other-chain' | 'ready';

/** What somebody is waited for: the wallet for all but a withdrawal, which the venue answers. */
export type Doing = Purpose | 'connect' | 'switch' | 'withdraw';

export interface Tracked extends SentTransaction {
  readonly progress: Progress;
}

export interface Funds {
  readonly site: VaultSite | null;
  /** Why nothing can be moved at all. */
  readonly siteFault: string | null;
  readonly wallet: WalletState;
  /** Those that announced themselves. */
  readonly wallets: readonly InjectedWallet[];
  readonly walletName: string | null;
  /** What the wallet has selected, where that is not the account's. */
  readonly selected: string | null;
  /** The chain that the wallet is on. */
  readonly chainId: number | null;
  readonly tokenSymbol: string;
  readonly view: VaultView | null;
  readonly committedIds: ReadonlySet<number>;
  /** Why the last look at the chain failed. */
  readonly viewFault: string | null;
  /** Newest first. */
  readonly sent: readonly Tracked[];
  readonly payouts: readonly Payout[] | null;
  readonly reserves: Reserves | null;
  /** Why the venue's side is not known, or old. */
  readonly venueFault: string | null;
  readonly doing: Doing | null;
  /** Why the last act was not done, in words for a person. */
  readonly fault: { readonly doing: Doing; readonly text: string } | null;
}

/** Before anything is known. */
export const START: Funds = {
  site: null,
  siteFault: null,
  wallet: 'looking',
  wallets: [],
  walletName: null,
  selected: null,
  chainId: null,
  tokenSymbol: 'tokens',
  view: null,
  committedIds: new Set(),
  viewFault: null,
  sent: [],
  payouts: null,
  reserves: null,
  venueFault: null,
  doing: null,
  fault: null,
};
