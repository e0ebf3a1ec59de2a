/** How dollars are written in this venue's mode: paper ones say that they are none. */

import { useStore, useTerminal } from './terminal.ts';

export function useDollars(): '$' | 'paper $' {
  const { stores } = useTerminal();
  return useStore(stores.link, ({ mode }) => (mode === 'deposits' ? '$' : 'paper $'));
}
