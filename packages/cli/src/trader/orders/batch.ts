/** `venue batch`: many actions under one signature. */

import type { ActionWire } from '@venue/protocol';
import type { ActionResult } from '@venue/sdk';
import { CommandError } from '../../base/command-error.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { type CommonOptions, signing } from '../../connection/connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from '../../connection/live-money.ts';
import { show } from '../../terminal/output.ts';
import { actionText } from './action-text.ts';
import { actionsOf } from './batch-file.ts';
import { isDeclined, isIdle, resultsText } from './batch-results.ts';
import { sendActions } from './send-actions.ts';

/** Carries out the actions of a file. If the venue declines any of them, the command exits with 1. */
export async function runBatchCommand(
  file: string,
  options: CommonOptions & LiveMoneyOptions,
): Promise<void> {
  const actions = await actionsOf(file);
  const trader = signing(options);
  const cost = async () => actions.map(actionText);
  if (actions.some(isRisky))
    await allowLiveMoney(trader.client, options, { question: 'Carry these out', cost });
  await sendActions(trader, 'the batch was carried out', actions, (outcome) => {
    show(options, outcome, (page) => resultsText(actions, outcome.results, page));
    checkResults(outcome.results);
  });
}

/** Cancels and guards, and the end of a quote set, only take risk away. */
function isRisky(action: ActionWire): boolean {
  const { type } = action;
  return (
    ['place', 'combo', 'amend', 'unfreeze'].includes(type) || (action.type === 'protect' && action.qty > 0)
  );
}

function checkResults(results: readonly ActionResult[]): void {
  const count = results.filter(isDeclined).length;
  if (count > 0)
    throw new CommandError(
      `${count} of ${results.length} action${results.length === 1 ? '' : 's'} declined; the others were carried out`,
      EXIT.refused,
      'rejected',
    );
  if (results.every(isIdle)) throw new CommandError('nothing to cancel', EXIT.nothing);
}
