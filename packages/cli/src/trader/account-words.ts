/** The subcommands of traders that show their account or move money, and their help texts. Their code is loaded on demand. */

import type { Command } from 'commander';
import { withReadUrl, withTraderOptions, withYes } from '../base/common-options.ts';
import type { HistoryOptions } from './account/history.ts';
import type { StatementOptions } from './account/statement.ts';
import type { HoursOptions } from './market/hours.ts';
import type { OrdersOptions } from './orders/order-list.ts';

/** Adds the commands of the account to the program. */
export function addAccountWords(venue: Command): void {
  for (const [word, description, run] of [
    [
      'account',
      'show cash, equity and margin',
      async (options) => (await account()).runAccountCommand(options),
    ],
    [
      'positions',
      'list what you are long and short of',
      async (options) => (await account()).runPositionsCommand(options),
    ],
    ['payouts', 'list your withdrawals', async (options) => (await money()).runPayoutsCommand(options)],
  ] as [string, string, (options: object) => Promise<void>][]) {
    withReadUrl(withTraderOptions(venue.command(word)))
      .description(description)
      .addHelpText('after', `\nExamples:\n  venue ${word}\n  venue ${word} --json\n`)
      .action(run);
  }
  addOrderListWords(venue);
  addHistoryWords(venue);
  withYes(withTraderOptions(venue.command('withdraw')))
    .description('have cash paid out to the wallet of the account')
    .argument('<amount>', 'USD, exact in millionths')
    .addHelpText(
      'after',
      '\nThe cash leaves the account at once. Once the venue has committed it on chain, the wallet claims it from the vault.\n\nExample:\n  venue withdraw 250.50\n',
    )
    .action(async (amount: string, options) => (await money()).runWithdrawCommand(amount, options));
}

function addOrderListWords(venue: Command): void {
  withReadUrl(withTraderOptions(venue.command('orders')))
    .description('list your orders that rest on the books, or that left them')
    .option('--closed', 'those that left, with the cause')
    .option('--symbol <symbol>', 'those of one underlying')
    .option('--limit <count>', 'so many of them, 500 at most (50)')
    .option('--before <id>', 'those older than this order')
    .addHelpText(
      'after',
      '\nExamples:\n  venue orders\n  venue orders --closed --symbol BTC\n  venue orders --json\n',
    )
    .action(async (options: OrdersOptions) => (await orderList()).runOrdersCommand(options));
  withReadUrl(withTraderOptions(venue.command('order')))
    .description('show one order, open or closed')
    .argument('<order>', 'its id or its client id')
    .addHelpText('after', '\nExamples:\n  venue order 17\n  venue order quote-7\n')
    .action(async (order: string, options) => (await orderList()).runOrderShowCommand(order, options));
}

function addHistoryWords(venue: Command): void {
  withReadUrl(withTraderOptions(venue.command('fills')))
    .description('list your trades, settlements and liquidations, newest first')
    .option('--limit <count>', 'so many of them (50; with --csv all)')
    .option('--before <id>', 'those older than this fill')
    .option('--csv', 'comma-separated values, as spreadsheets read them')
    .addHelpText(
      'after',
      '\nExamples:\n  venue fills\n  venue fills --csv > fills.csv\n  venue fills --before 1200\n',
    )
    .action(async (options: HistoryOptions) =>
      (await import('./account/history.ts')).runFillsCommand(options),
    );
  withReadUrl(withTraderOptions(venue.command('equity')))
    .description('list your equity by the hour, where it changed')
    .option('--from <time>', 'a day or time in UTC, included (the last 1,500 rows)')
    .option('--to <time>', 'a day or time in UTC, excluded (now)')
    .option('--csv', 'comma-separated values, as spreadsheets read them')
    .addHelpText(
      'after',
      '\nExamples:\n  venue equity\n  venue equity --from 2026-11-01 --csv > equity.csv\n',
    )
    .action(async (options: HoursOptions) => (await hours()).runEquityCommand(options));
  withReadUrl(withTraderOptions(venue.command('statement')))
    .description('account for every change of your cash, with the running balance')
    .option('--from <time>', 'a day or time in UTC, included (the beginning)')
    .option('--to <time>', 'a day or time in UTC, excluded (now)')
    .option('--csv', 'comma-separated values, as spreadsheets read them')
    .addHelpText(
      'after',
      '\nExamples:\n  venue statement --from 2026-11-01 --to 2026-12-01\n  venue statement --csv > statement.csv\n',
    )
    .action(async (options: StatementOptions) =>
      (await import('./account/statement.ts')).runStatementCommand(options),
    );
}

const hours = () => import('./market/hours.ts');
const account = () => import('./account/account.ts');
const money = () => import('./account/money.ts');
const orderList = () => import('./orders/order-list.ts');
