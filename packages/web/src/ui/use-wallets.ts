/** Wallets that announce themselves to the page (EIP-6963), also those that come late. */

import { discoverWallets, type InjectedWallet } from '@venue/sdk/browser';
import { useEffect, useState } from 'react';

export function useWallets(): readonly InjectedWallet[] {
  const [wallets, setWallets] = useState<readonly InjectedWallet[]>([]);
  useEffect(() => {
    let isGone = false;
    const look = async () => {
      const found = await discoverWallets();
      if (!isGone) setWallets(found);
    };
    const onAnnounced = (event: Event) => {
      const { detail } = event as CustomEvent<InjectedWallet>;
      setWallets((known) =>
        known.some(({ info }) => info.uuid === detail.info.uuid) ? known : [...known, detail],
      );
    };
    window.addEventListener('eip6963:announceProvider', onAnnounced);
    void look();
    return () => {
      isGone = true;
      window.removeEventListener('eip6963:announceProvider', onAnnounced);
    };
  }, []);
  return wallets;
}
