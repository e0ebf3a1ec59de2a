/** Checks that a venue shows every trader the account derived from the log. */

import { isDeepStrictEqual } from 'node:util';
import type { State } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { guardedAccountView } from '../../packages/exchange/src/views/account.ts';
import type { Trader } from './trader.ts';

export interface ShownOptions {
  readonly url: string;
  readonly traders: readonly Trader[];
  /** The replayed state, up to the venue's last entry. */
  readonly state: State;
}

/** Differences, in sentences. The token given to each trader before must still be valid. */
export async function wrongAccounts({ url, traders, state }: ShownOptions): Promise<string[]> {
  const faults: string[] = [];
  for (const { token, address } of traders) {
    const response = await fetch(`${url}/v1/me`, { headers: { 'x-paper-token': token } });
    const shown = await response.json();
    const account = state.accountByAddress.get(address as Address);
    const expected = account && JSON.parse(JSON.stringify(guardedAccountView(state, account)));
    if (response.status !== 200 || !isDeepStrictEqual(shown, expected))
      faults.push(`${address} is shown ${JSON.stringify(shown)}, not ${JSON.stringify(expected)}`);
  }
  return faults;
}
