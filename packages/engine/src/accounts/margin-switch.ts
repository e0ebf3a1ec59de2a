/** Turns margin on or off; only opening or extending a short depends on it. */

import type { MarginCommand } from '../entry/command.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import { shortExposureMicros } from '../risk/margin.ts';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';

/**
 * Refuses to turn margin off while there is any short exposure, including resting sells that would open a short
 * (ACC-3), or an ask of a quote set (QTS-2).
 */
export function setMargin(state: State, account: Account, { enabled }: MarginCommand): OutcomeOf<'margin'> {
  if (!enabled && (hasShortExposure(account) || quotesAsks(state, account)))
    return { refusal: 'marginShortExposure' };
  account.marginEnabled = enabled;
  return { account, marginEnabled: enabled };
}

function hasShortExposure(account: Account): boolean {
  for (const position of account.positions) if (shortExposureMicros(position) > 0) return true;
  return false;
}

function quotesAsks({ quoteSets }: State, { index }: Account): boolean {
  return quoteSets.of(index).some(({ rows }) => [...rows.values()].some(({ askMicros }) => askMicros > 0));
}
