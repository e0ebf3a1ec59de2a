/** The secrets that an operator's command reads from its environment. */

import { type Environment, readVariables } from '@venue/config';
import type { SettleTokens } from '@venue/sdk';

export function operatorToken(env: Environment): string {
  return readVariables('operator', env).VENUE_OPERATOR_TOKEN;
}

export function settleTokens(env: Environment): SettleTokens {
  const { VENUE_SETTLE_TOKEN_1: token1, VENUE_SETTLE_TOKEN_2: token2 } = readVariables(
    'operator settle',
    env,
  );
  return { token1, token2 };
}
