/** `venue cancel`: takes orders back, which never asks because it only takes risk away. */

import type { ActionWire } from '@venue/protocol';
import { CommandError, usageError } from '../../base/command-error.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { type CommonOptions, signing } from '../../connection/connection.ts';
import { show } from '../../terminal/output.ts';
import { refOf, refText } from './order-ref.ts';
import { sendActions } from './send-actions.ts';

export interface CancelOptions extends CommonOptions {
  readonly symbol?: readonly string[];
  readonly all?: true;
}

/** Cancels one order, those of some symbols, or all. If there is none, the command exits with a code of its own. */
export async function runCancelCommand(order: string | undefined, options: CancelOptions): Promise<void> {
  const ways = [order, options.symbol, options.all].filter((way) => way !== undefined);
  if (ways.length !== 1) throw usageError('cancel takes an order, --symbol SYMBOL or --all, and one of them');
  if (order !== undefined) await cancelOne(order, options);
  else await cancelMany(options.symbol, options);
}

async function cancelOne(order: string, options: CancelOptions): Promise<void> {
  const ref = refOf(order);
  const trader = signing(options);
  await sendActions(
    trader,
    'the order was cancelled',
    [{ type: 'cancel', ...ref }],
    ({ results, account }) => {
      const [result] = results;
      const isCancelled = result !== undefined && 'ok' in result && result.ok;
      show(options, { ...result, account }, () =>
        isCancelled ? [`order ${refText(ref)} is cancelled`] : [],
      );
      if (!isCancelled) throw nothingToCancel(`order ${refText(ref)} does not rest`);
    },
  );
}

async function cancelMany(given: readonly string[] | undefined, options: CancelOptions): Promise<void> {
  const symbols = given?.map((symbol) => symbol.toUpperCase());
  const action: ActionWire = { type: 'cancel-all', ...(symbols !== undefined && { symbols }) };
  await sendActions(signing(options), 'the orders were cancelled', [action], ({ results, account }) => {
    const [result] = results;
    if (result?.type !== 'cancel-all') throw new TypeError('it has no result of the cancel');
    show(options, { ...result, account }, () => (result.ok ? [pulledText(result.pulled)] : []));
    if (!result.ok) throw nothingToCancel('no order rests there');
  });
}

/** After a lost answer the venue shows that none rests, and not how many did. */
function pulledText(pulled: number | null): string {
  if (pulled === null) return 'no such order rests any more; how many were cancelled is not known';
  return `${pulled} order${pulled === 1 ? ' is' : 's are'} cancelled`;
}

function nothingToCancel(why: string): CommandError {
  return new CommandError(`${why}: nothing to cancel`, EXIT.nothing);
}
