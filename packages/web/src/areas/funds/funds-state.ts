/** The page's state of the money in and out of the vault. */

import type { InjectedWallet, Payout, Reserves } from '@venue/sdk/browser';
import type { Progress, Purpose, SentTransaction } from './progress.ts';
import type { VaultView } from './vault-chain.ts';
import type { VaultSite } from './vault-site.ts';

/** State of the wallet; only `ready` can read and send. */
export type WalletState = 'looking' | 'none' | 'unconnected' | 'other-account' | 'other-chain' | 'ready';

/** The action in progress: it waits for the wallet, or for the venue in case of a withdrawal. */
export type Doing = Purpose | 'connect' | 'switch' | 'withdraw';

export interface Tracked extends SentTransaction {
  readonly progress: Progress;
}

export interface Funds {
  readonly site: VaultSite | null;
  /** Why no money can be moved at all. */
  readonly siteFault: string | null;
  readonly wallet: WalletState;
  /** Wallets that announced themselves. */
  readonly wallets: readonly InjectedWallet[];
  readonly walletName: string | null;
  /** The wallet's selected account, if it is not the venue account's. */
  readonly selected: string | null;
  /** The wallet's current chain. */
  readonly chainId: number | null;
  readonly tokenSymbol: string;
  readonly view: VaultView | null;
  readonly committedIds: ReadonlySet<number>;
  /** Why the last read of the chain failed. */
  readonly viewFault: string | null;
  /** Newest first. */
  readonly sent: readonly Tracked[];
  readonly payouts: readonly Payout[] | null;
  readonly reserves: Reserves | null;
  /** Why the venue's data is missing or old. */
  readonly venueFault: string | null;
  readonly doing: Doing | null;
  /** Why the last action failed, as a message for the person. */
  readonly fault: { readonly doing: Doing; readonly text: string } | null;
}

/** The initial state. */
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
