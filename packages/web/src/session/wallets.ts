/** The browser's wallets: their names, their answers, and changes of account. */

import {
  type InjectedProvider,
  type InjectedWallet,
  type Wallet,
  walletFromProvider,
} from '@venue/sdk/browser';

/** The chosen wallet and the name it is shown under; null for a key that the page generated. */
export interface ChosenWallet {
  readonly wallet: Wallet;
  readonly name: string | null;
  /** Calls back with each address the wallet switches to; returns a function that stops it. */
  readonly onOther?: (listen: (address: string) => void) => () => void;
}

const NAME_LENGTH_MAX = 40;

/**
 * Reads a wallet's announcement, or null for an invalid one: any script of the page can announce anything. An icon that
 * is not a data URL is dropped, as the page contacts no other server.
 *
 * @example walletOf(event.detail)
 */
export function walletOf(announced: unknown): InjectedWallet | null {
  const { info, provider } = Object(announced) as { info?: unknown; provider?: unknown };
  const { uuid, name, icon, rdns } = Object(info) as Record<string, unknown>;
  const { request } = Object(provider) as { request?: unknown };
  if (typeof uuid !== 'string' || typeof name !== 'string' || typeof request !== 'function') return null;
  const isData = typeof icon === 'string' && /^data:image\//.test(icon);
  return {
    info: {
      uuid,
      name: name.trim().slice(0, NAME_LENGTH_MAX) || 'A wallet without a name',
      icon: isData ? icon : '',
      rdns: String(rdns),
    },
    provider: provider as InjectedProvider,
  };
}

/** Methods most extensions have besides `request`. */
interface EventfulProvider extends InjectedProvider {
  on?(event: 'accountsChanged', listen: (accounts: string[]) => void): void;
  removeListener?(event: 'accountsChanged', listen: (accounts: string[]) => void): void;
}

/** Asks the extension for its account. Rejects as it does, and with `TypeError` when it returns none. */
export async function connectWallet({ info, provider }: InjectedWallet): Promise<ChosenWallet> {
  const wallet = await walletFromProvider(provider);
  return { wallet, name: info.name, onOther: (listen) => watchAccounts(provider, wallet.address, listen) };
}

function watchAccounts(
  provider: EventfulProvider,
  first: string,
  listen: (address: string) => void,
): () => void {
  const heard = ([address]: string[]) => {
    if (address !== undefined && !isSameAddress(address, first)) listen(address);
  };
  provider.on?.('accountsChanged', heard);
  return () => provider.removeListener?.('accountsChanged', heard);
}

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The EIP-1193 code for a request the person declined. */
export function isDeclined(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 4001;
}
