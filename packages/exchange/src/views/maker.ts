/** The market maker's view of its own account. */

import {
  equityMicros,
  houseExposureMicros,
  houseHeadroomMicros,
  houseLineMicros,
  MAKER,
  type State,
  unrealizedMicros,
} from '@venue/engine';
import { type MakerAccount, microsToDecimal } from '@venue/protocol';
import { positionsView } from './account.ts';

/** Positions, and how much of the house line they use (HOUSE-1); amounts in US dollars. */
export function makerAccountView(state: State): MakerAccount {
  const account = state.accounts[MAKER]!;
  return {
    session: state.quoting.session === 0 ? null : state.quoting.session,
    cash: microsToDecimal(account.cashMicros),
    equity: microsToDecimal(equityMicros(state, account)),
    realizedPnl: microsToDecimal(account.realizedMicros),
    unrealizedPnl: microsToDecimal(unrealizedMicros(state, account)),
    houseLine: microsToDecimal(houseLineMicros(state)),
    exposure: microsToDecimal(houseExposureMicros(state)),
    headroom: microsToDecimal(houseHeadroomMicros(state)),
    positions: positionsView(state, account),
  };
}
