/** Wallets of the browser: their names, what they answer, and whether they changed their account meanwhile. */

import {
  type InjectedProvider,
  type InjectedWallet,
  type Wallet,
  walletFromProvider,
} from '@venue/sdk/browser';

/** A wallet that a person chose, and the name that it is shown under; none for a key that the page made. */
export interface ChosenWallet {
  readonly wallet: Wallet;
  readonly name: string | null;
  /** Calls back with the address that the wallet turns to, each time; gives the end of that. */
  readonly onOther?: (listen: (address: string) => void) => () => void;
}

const NAME_LENGTH_MAX = 40;

/**
 * A wallet as it announced itself, or null for what is none: any script of the page can announce anything. An icon that
 * is no data of its own is left out, as the page asks no other server for it.
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

/** What most extensions have besides `request`. */
interface EventfulProvider extends InjectedProvider {
  on?(event: 'accountsChanged', listen: (accounts: string[]) => void): void;
  removeListener?(event: 'accountsChanged', listen: (accounts: string[]) => void): void;
}

/** Asks the extension for its account. Rejects as it does, and with `TypeError` when it names none. */
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

/** Wallets refuse with the code of EIP-1193 for a person's no. */
export function isDeclined(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 4001;
}

/** `0x1234…cdef` */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
