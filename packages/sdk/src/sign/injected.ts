/** Wallets that browser extensions inject into the page. */

import type { Hex } from '@venue/protocol';
import { hexOf } from './hex.ts';
import type { Wallet } from './wallet.ts';

/** The interface of an extension (EIP-1193). */
export interface InjectedProvider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** An extension that has announced itself (EIP-6963). */
export interface InjectedWallet {
  readonly info: {
    readonly uuid: string;
    readonly name: string;
    /** A data URI. */
    readonly icon: string;
    readonly rdns: string;
  };
  readonly provider: InjectedProvider;
}

/**
 * A wallet that signs through an extension, which asks its user each time. Throws the extension's error if its user
 * declines, and `TypeError` if it names no account.
 *
 * @example await venue.auth.approveSession(await walletFromProvider(provider))
 */
export async function walletFromProvider(provider: InjectedProvider): Promise<Wallet> {
  const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  const address = accounts?.[0];
  if (address === undefined) throw new TypeError('the wallet named no account');
  return {
    address,
    signMessage: async ({ message }) => {
      const text = hexOf(new TextEncoder().encode(message));
      return (await provider.request({ method: 'personal_sign', params: [text, address] })) as Hex;
    },
  };
}

/**
 * The extensions of this page that announce themselves shortly, by default within 100 ms, each once.
 *
 * @example const [wallet] = await discoverWallets({ page })
 */
export async function discoverWallets(
  options: { readonly waitMs?: number; readonly page?: EventTarget } = {},
): Promise<InjectedWallet[]> {
  const { waitMs = 100, page = globalThis as unknown as EventTarget } = options;
  const found = new Map<string, InjectedWallet>();
  const heard = (event: Event) => {
    const { detail } = event as Event & { detail?: InjectedWallet | null };
    // Any script of the page can announce anything.
    if (detail?.info?.uuid && detail.provider) found.set(detail.info.uuid, detail);
  };
  page.addEventListener('eip6963:announceProvider', heard);
  page.dispatchEvent(new Event('eip6963:requestProvider'));
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  page.removeEventListener('eip6963:announceProvider', heard);
  return [...found.values()];
}
