/** `venue withdraw|payouts`: money on its way out. */

import type { WithdrawAnswer } from '@venue/protocol';
import { CommandError } from '../../base/command-error.ts';
import { amountOf } from '../../connection/arguments.ts';
import { type CommonOptions, type Signing, signedIn, signIn, signing } from '../../connection/connection.ts';
import { allowLiveMoney, type LiveMoneyOptions } from '../../connection/live-money.ts';
import { payoutsText } from '../../connection/payout-text.ts';
import { cashTraces, sendWrite } from '../../connection/unknown-outcome.ts';
import { usd } from '../../terminal/numbers.ts';
import { pageOf, show } from '../../terminal/output.ts';
import { type Page, pairs } from '../../terminal/table.ts';

const PAPER = 'runs on paper money: there is nothing to withdraw';

/** Requests a payout of cash to the account's wallet. */
export async function runWithdrawCommand(
  amount: string,
  options: CommonOptions & LiveMoneyOptions,
): Promise<void> {
  const amountUsd = amountOf('the amount', amount);
  const trader = signing(options);
  const { client } = trader;
  const { fundingMode } = await client.market.health();
  if (fundingMode === 'paper') throw new CommandError(`${client.url} ${PAPER}`);
  await allowLiveMoney(client, options, {
    question: 'Withdraw',
    cost: () => costOf(trader, amountUsd),
  });
  const write = { what: 'the withdrawal was asked for', answerField: 'id', traces: cashTraces };
  const send = () => client.withdrawals.request(amountUsd);
  await sendWrite(trader, write, send, (answer) =>
    show(options, answer, (page) => requestedText(answer, page)),
  );
}

function requestedText({ id, amountUsd, state, address, account }: WithdrawAnswer, page: Page): string[] {
  return [
    ...pairs(
      [
        ['withdrawal', `${id}: ${usd(amountUsd)}, ${state}`],
        ['to', address],
        ['cash', usd(account.cash)],
      ],
      page,
    ),
    `"venue payouts" shows when it is committed; then the wallet claims it from the vault.`,
  ];
}

async function costOf(trader: Signing, amountUsd: number): Promise<string[]> {
  await signIn(trader, trader.session);
  const { cash, buyingPower, address } = await trader.client.account.me();
  return pairs(
    [
      ['withdraw', usd(amountUsd)],
      ['to', `${address}, the wallet of the account`],
      ['cash', `${usd(cash)} -> ${usd(cash - amountUsd)}`],
      ['buying power', usd(buyingPower)],
      ['gas', 'claiming it from the vault is a transaction of the wallet, which pays for it'],
    ],
    pageOf(process.stderr),
  );
}

/** Lists the withdrawals of the account, newest first. */
export async function runPayoutsCommand(options: CommonOptions): Promise<void> {
  const client = await signedIn(options);
  const { fundingMode } = await client.market.health();
  if (fundingMode === 'paper') throw new CommandError(`${client.url} ${PAPER}`);
  const payouts = await client.withdrawals.list();
  show(options, payouts, (page) => payoutsText(payouts, page));
}
