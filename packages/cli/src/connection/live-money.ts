/** Asks a person before real money moves. */

import type { VenueClient } from '@venue/sdk';
import { CommandError } from '../base/command-error.ts';
import { ask, canAsk } from '../terminal/confirm.ts';
import { say } from '../terminal/output.ts';

export interface LiveMoneyOptions {
  /** The answer is yes already. */
  readonly yes?: true;
}

export interface LiveMoneyAction {
  /** A question without its question mark: `Place this order`. */
  readonly question: string;
  /** Nothing undoes it, which the question says. */
  readonly isFinal?: boolean;
  /** The cost, read from the venue only if a person is asked. */
  readonly cost: () => Promise<readonly string[]>;
}

/**
 * Returns if the action may be sent: the venue runs on paper money, `--yes` was given, or a person saw the cost and
 * said yes. Throws `CommandError` otherwise, or the error of the health request: a venue that does not answer does
 * not count as paper.
 */
export async function allowLiveMoney(
  client: VenueClient,
  { yes }: LiveMoneyOptions,
  { question, isFinal = false, cost }: LiveMoneyAction,
): Promise<void> {
  if (yes) return;
  const { fundingMode } = await client.market.health();
  if (fundingMode === 'paper') return;
  if (!canAsk())
    throw new CommandError(
      `${client.url} holds real money and there is no terminal to ask on: nothing was sent; add --yes if you mean it`,
    );
  const { simulatedPrices } = await client.market.venue();
  say(`${client.url} holds real money${simulatedPrices ? ' and runs on simulated prices' : ''}.`);
  for (const line of await cost()) say(line);
  if (!(await ask(`${question}?${isFinal ? ' This cannot be undone.' : ''}`)))
    throw new CommandError('not confirmed: nothing was sent');
}
