/** What an operator's command needs of its environment. */

import { isVenueUrl, type SettleTokens } from '@venue/sdk';
import type { Environment } from './config.ts';

/** An operator's command cannot do what it was asked for; the message is one line. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/** Where the exchange is. */
export function venueUrl(env: Environment): string {
  const url = env.VENUE_URL || 'http://127.0.0.1:8080';
  if (!isVenueUrl(url)) throw new OperatorError(`VENUE_URL must be an http address, not "${url}"`);
  return url;
}

export function operatorToken(env: Environment): string {
  return secret(env, 'VENUE_OPERATOR_TOKEN');
}

export function settleTokens(env: Environment): SettleTokens {
  return { token1: secret(env, 'VENUE_SETTLE_TOKEN_1'), token2: secret(env, 'VENUE_SETTLE_TOKEN_2') };
}

/** A header carries no other characters, and the message of `fetch` would show the secret. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

function secret(env: Environment, name: string): string {
  const value = env[name];
  if (!value) throw new OperatorError(`${name} is not set: it is a secret of the exchange's operators`);
  if (!HEADER_TEXT.test(value)) throw new OperatorError(`${name} must be ASCII without spaces`);
  return value;
}
