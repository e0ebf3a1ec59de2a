/** The secrets that an operator's command takes from its environment. */

import { isHeaderText, type SettleTokens } from '@venue/sdk';
import { CommandError } from './command-error.ts';
import type { Environment } from './config.ts';

export function operatorToken(env: Environment): string {
  return secret(env, 'VENUE_OPERATOR_TOKEN');
}

export function settleTokens(env: Environment): SettleTokens {
  return { token1: secret(env, 'VENUE_SETTLE_TOKEN_1'), token2: secret(env, 'VENUE_SETTLE_TOKEN_2') };
}

function secret(env: Environment, name: string): string {
  const value = env[name];
  if (!value) throw new CommandError(`${name} is not set: it is a secret of the exchange's operators`);
  if (!isHeaderText(value)) throw new CommandError(`${name} must be ASCII without spaces`);
  return value;
}
