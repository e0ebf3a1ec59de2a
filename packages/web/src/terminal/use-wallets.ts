/** Wallets that announce themselves to the page (EIP-6963), including late ones. */

import type { InjectedWallet } from '@venue/sdk/browser';
import { useEffect, useState } from 'react';
import { walletOf } from '../session/wallets.ts';

export function useWallets(): readonly InjectedWallet[] {
  const [wallets, setWallets] = useState<readonly InjectedWallet[]>([]);
  useEffect(() => {
    const onAnnounced = (event: Event) => {
      const wallet = walletOf((event as CustomEvent<unknown>).detail);
      if (wallet === null) return;
      setWallets((known) =>
        known.some(({ info }) => info.uuid === wallet.info.uuid) ? known : [...known, wallet],
      );
    };
    window.addEventListener('eip6963:announceProvider', onAnnounced);
    window.dispatchEvent(new Event('eip6963:requestProvider'));
    return () => window.removeEventListener('eip6963:announceProvider', onAnnounced);
  }, []);
  return wallets;
}
