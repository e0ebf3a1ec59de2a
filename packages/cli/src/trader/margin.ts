/** `venue margin`: short sales need it. */

import { show } from '../terminal/output.ts';
import { type CommonOptions, signing } from './connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from './live-money.ts';
import { marginTraces, sendWrite, type Write } from './unknown-outcome.ts';

/** Turns margin on or off (ACC-3). */
export async function runMarginCommand(
  word: string,
  options: CommonOptions & LiveMoneyOptions,
): Promise<void> {
  const enabled = word === 'on';
  const trader = signing(options);
  await allowLiveMoney(trader.client, options, {
    question: `Turn margin ${word}`,
    cost: async () =>
      enabled
        ? ['With margin on, options can be sold short, and a short can lose more than it brought in.']
        : [],
  });
  const what = `margin was turned ${word}`;
  const write: Write = { what, answerField: 'marginEnabled', traces: marginTraces };
  const send = () => trader.client.orders.setMargin(enabled);
  await sendWrite(trader, write, send, (answer) =>
    show(options, answer, () => [`margin is ${answer.marginEnabled ? 'on' : 'off'}`]),
  );
}
