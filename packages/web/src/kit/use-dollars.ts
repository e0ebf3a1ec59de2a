/** The currency unit in this venue's mode: paper dollars are marked as such. */

import { useStore, useTerminal } from './terminal.ts';

export function useDollars(): '$' | 'paper $' {
  const { stores } = useTerminal();
  return useStore(stores.link, ({ mode }) => (mode === 'deposits' ? '$' : 'paper $'));
}
