/** `venue margin`: what is locked and what for, the switch that short sales need, and the mode. */

import type { ActionWire } from '@venue/protocol';
import { type CommonOptions, signedIn, signing } from '../../connection/connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from '../../connection/live-money.ts';
import { marginTraces, sendWrite, type Write } from '../../connection/unknown-outcome.ts';
import { show } from '../../terminal/output.ts';
import { actionText } from './action-text.ts';
import { declined, whyOf } from './declined.ts';
import { marginText } from './margin-text.ts';
import { sendActions } from './send-actions.ts';

/** Without a word shows the margin; else turns it on or off (ACC-3), or changes its mode (DRM-1). */
export async function runMarginCommand(
  word: 'on' | 'off' | MarginMode | undefined,
  options: CommonOptions & LiveMoneyOptions,
): Promise<void> {
  if (word === undefined) return showMargin(options);
  if (word === 'on' || word === 'off') return switchMargin(word, options);
  return changeMode(word, options);
}

type MarginMode = Extract<ActionWire, { type: 'margin-mode' }>['mode'];

async function showMargin(options: CommonOptions): Promise<void> {
  const report = await (await signedIn(options)).account.margin();
  show(options, report, (page) => marginText(report, page));
}

async function changeMode(mode: MarginMode, options: CommonOptions & LiveMoneyOptions): Promise<void> {
  const action: ActionWire = { type: 'margin-mode', mode };
  const trader = signing(options);
  await allowLiveMoney(trader.client, options, {
    question: 'Change how margin is worked out',
    cost: async () => [actionText(action)],
  });
  await sendActions(trader, 'the margin mode was changed', [action], ({ results: [result] }) => {
    if (result?.type !== 'margin-mode' || !result.ok) throw declined(whyOf(result));
    show(options, result, () => [`margin is ${mode}`]);
  });
}

async function switchMargin(word: 'on' | 'off', options: CommonOptions & LiveMoneyOptions): Promise<void> {
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
