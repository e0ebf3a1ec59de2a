/** A person's word before real money moves. */

import type { VenueClient } from '@venue/sdk';
import { CommandError } from '../command-error.ts';
import { ask, canAsk } from '../terminal/confirm.ts';
import { say } from '../terminal/output.ts';

export interface LiveMoneyOptions {
  /** Somebody has said yes already. */
  readonly yes?: true;
}

export interface LiveMoneyAction {
  /** As a question without its mark: `Place this order`. */
  readonly question: string;
  /** What it will cost, read from the venue when there is somebody to read it. */
  readonly cost: () => Promise<readonly string[]>;
}

/**
 * Returns when the action may be sent: the venue runs on paper money, `--yes` was given, or a person was shown what it
 * costs and said yes. Throws `CommandError` otherwise, and whatever the venue's health cannot be asked for: who does not
 * answer is not taken for paper.
 */
export async function allowLiveMoney(
  client: VenueClient,
  { yes }: LiveMoneyOptions,
  { question, cost }: LiveMoneyAction,
): Promise<void> {
  if (yes) return;
  const { fundingMode } = await client.market.health();
  if (fundingMode === 'paper') return;
  if (!canAsk())
    throw new CommandError(
      `${client.url} holds real money and there is no terminal to ask on: nothing was sent; add --yes if you mean it`,
    );
  say(`${client.url} holds real money.`);
  for (const line of await cost()) say(line);
  if (!(await ask(`${question}?`))) throw new CommandError('not confirmed: nothing was sent');
}
