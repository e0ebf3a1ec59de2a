/** Switches how an account's shorts are margined (DRM-1). */

import { BATCH_REJECT, type MarginModeAction, type RejectReason } from '@venue/protocol';
import type { SetResult } from '../entry/outcome.ts';
import { riskOf } from '../risk/margin.ts';
import { forgetGroups } from '../risk/memos.ts';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';

/**
 * An account with quote sets stays as it is; so does one in a margin call, or that the other mode would bring into one or
 * leave without buying power. The mode in force is always granted (DET-7).
 */
export function setMarginMode(state: State, account: Account, { mode }: MarginModeAction): SetResult {
  if (mode === account.marginMode) return { ok: true };
  const reason = switchRefusal(state, account, mode);
  if (reason !== null) return { ok: false, reason };
  account.marginMode = mode;
  if (mode === 'per-leg') forgetGroups(state, account);
  return { ok: true };
}

function switchRefusal(state: State, account: Account, mode: MarginModeAction['mode']): RejectReason | null {
  if (state.quoteSets.of(account.index).length > 0) return BATCH_REJECT.modeBarsSets;
  const before = riskOf(state, account);
  account.marginMode = mode;
  const after = riskOf(state, account);
  account.marginMode = mode === 'per-leg' ? 'defined-risk' : 'per-leg';
  const isShort = mode === 'per-leg' && after.lockedMicros > account.cashMicros;
  return before.isCalled || after.isCalled || isShort ? BATCH_REJECT.modeNeedsBuyingPower : null;
}
