/** The secrets that an operator's command reads from its environment. */

import { ConfigError, type Environment, readVariables } from '@venue/config';
import type { SettleToken, SettleTokens } from '@venue/sdk';

export function operatorToken(env: Environment): string {
  return readVariables('operator', env).VENUE_OPERATOR_TOKEN;
}

/** For noting payouts by hand: the batcher's secret, or the operators' where it has none (CUS-9). */
export function payoutToken(env: Environment): string {
  const { VENUE_PAYOUT_TOKEN: own, VENUE_OPERATOR_TOKEN: shared } = readVariables('operator commit', env);
  const token = own ?? shared;
  if (token === null)
    throw new ConfigError('VENUE_PAYOUT_TOKEN is not set: it is the secret that notes payouts as committed');
  return token;
}

export function settleTokens(env: Environment): SettleTokens {
  const { VENUE_SETTLE_TOKEN_1: token1, VENUE_SETTLE_TOKEN_2: token2 } = readVariables(
    'operator settle',
    env,
  );
  return { token1, token2 };
}

/** The one of the two that this person has (CUS-10), or else the own secret of an operator with a name (OPS-2). */
export function settleToken(env: Environment): SettleToken {
  const {
    VENUE_SETTLE_TOKEN_1: first,
    VENUE_SETTLE_TOKEN_2: second,
    VENUE_OPERATOR_TOKEN: own,
  } = readVariables('operator settle propose', env);
  if (first !== null && second !== null)
    throw new ConfigError(
      'VENUE_SETTLE_TOKEN_1 and VENUE_SETTLE_TOKEN_2 are both set: two people settle, each with theirs',
    );
  if (first !== null) return { which: 1, token: first };
  if (second !== null) return { which: 2, token: second };
  if (own !== null) return { which: 'own', token: own };
  throw noSettleToken();
}

function noSettleToken(): ConfigError {
  return new ConfigError(
    'neither VENUE_SETTLE_TOKEN_1 nor VENUE_SETTLE_TOKEN_2 is set: set the one you have, or VENUE_OPERATOR_TOKEN if you are named',
  );
}

/** One or both, or the own of a named operator: two people bind the ledger, together or one after the other (CUS-1). */
export function bindTokens(env: Environment): Partial<SettleTokens & { readonly own: string }> {
  const {
    VENUE_SETTLE_TOKEN_1: token1,
    VENUE_SETTLE_TOKEN_2: token2,
    VENUE_OPERATOR_TOKEN: own,
  } = readVariables('operator settle propose', env);
  if (token1 === null && token2 === null) {
    if (own === null) throw noSettleToken();
    return { own };
  }
  return { ...(token1 !== null && { token1 }), ...(token2 !== null && { token2 }) };
}
