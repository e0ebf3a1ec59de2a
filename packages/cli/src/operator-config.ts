/** What an operator's command needs of its environment. */

import { isHeaderText, type SettleTokens, venueUrlFault } from '@venue/sdk';
import type { Environment } from './config.ts';
import { OperatorError } from './operator-error.ts';

/** Where the exchange is. */
export function venueUrl(env: Environment): string {
  const url = env.VENUE_URL || 'http://127.0.0.1:8080';
  const fault = venueUrlFault(url);
  if (fault !== null) throw new OperatorError(`VENUE_URL ${fault}`);
  return url;
}

export function operatorToken(env: Environment): string {
  return secret(env, 'VENUE_OPERATOR_TOKEN');
}

export function settleTokens(env: Environment): SettleTokens {
  return { token1: secret(env, 'VENUE_SETTLE_TOKEN_1'), token2: secret(env, 'VENUE_SETTLE_TOKEN_2') };
}

function secret(env: Environment, name: string): string {
  const value = env[name];
  if (!value) throw new OperatorError(`${name} is not set: it is a secret of the exchange's operators`);
  if (!isHeaderText(value)) throw new OperatorError(`${name} must be ASCII without spaces`);
  return value;
}
