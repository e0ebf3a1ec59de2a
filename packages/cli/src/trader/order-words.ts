/** The subcommands of traders for orders and margin, and their help texts. Their code is loaded on demand. */

import { Argument, type Command, Option } from 'commander';
import { withReadUrl, withTraderOptions, withYes } from '../base/common-options.ts';
import type { CancelOptions } from './orders/cancels.ts';
import type { GuardOptions } from './orders/guard.ts';
import type { AmendOptions, CloseOptions, OrderOptions } from './orders/orders.ts';
import type { ProtectOptions } from './orders/sets.ts';
import { SLIPPAGE_PERCENT } from './orders/slippage-default.ts';

const ORDER_HELP = (side: string) => `
QTY is in contracts and PRICE in USD for one contract, both plain decimals that are exact in millionths. Where the venue
holds real money it first shows what the order costs and asks; where there is no terminal it needs --yes.
A declined order ends with 1 and the venue's reason, and so does one that leaves without a trade. An order without an
answer ends with 4.

With --market the order is one for at most 5 % beyond the best price of the other side, and what does not trade at once
is cancelled. --slippage sets another bound; with "none" it takes any price.

Examples:
  venue ${side} BTC-1795827600-C-92000 0.1 --limit 450.5
  venue ${side} BTC-1795827600-C-92000 0.1 --limit 450.5 --post-only --expires 15m --client-id quote-7
  venue ${side} BTC-1795827600-C-92000 0.1 --market --slippage 2
`;

/** Adds the commands of orders to the program. */
export function addOrderWords(venue: Command): void {
  for (const side of ['buy', 'sell'] as const) {
    withYes(withOrder(venue.command(side)))
      .description(side === 'buy' ? 'buy contracts' : 'sell contracts that you hold, or short with margin on')
      .addHelpText('after', ORDER_HELP(side))
      .action(async (series: string, qty: string, options: OrderOptions) =>
        (await orders()).runOrderCommand({ side, series, qty }, options),
      );
  }
  const preview = venue
    .command('preview')
    .description('show what an order would cost, and place nothing')
    .addHelpText('after', '\n"venue combo", "spread" and "roll" have a flag --preview of their own.\n');
  for (const side of ['buy', 'sell'] as const) {
    withOrder(preview.command(side))
      .description(`what it would cost to ${side}`)
      .addHelpText('after', `\nExample:\n  venue preview ${side} BTC-1795827600-C-92000 0.1 --limit 450.5\n`)
      .action(async (series: string, qty: string, options: OrderOptions) =>
        (await orders()).runPreviewCommand({ side, series, qty }, options),
      );
  }
  addChangeWords(venue);
  addSetWords(venue);
  withYes(withTraderOptions(venue.command('margin')))
    .description(
      'show what is locked and what for; turn margin on or off, which short sales need, or change its mode',
    )
    .addArgument(new Argument('[change]', 'the new state or mode').choices(MARGIN_WORDS))
    .addHelpText('after', MARGIN_HELP)
    .action(async (word: (typeof MARGIN_WORDS)[number] | undefined, options) =>
      (await import('./orders/margin.ts')).runMarginCommand(word, options),
    );
}

const MARGIN_WORDS = ['on', 'off', 'defined-risk', 'per-leg'] as const;
const MARGIN_HELP = `
With defined-risk a long that bounds what a short can lose covers it, and both lock what they can lose together; with
per-leg, which an account begins with, each short locks its own margin.

Examples:
  venue margin
  venue margin on
  venue margin defined-risk
`;

const AMEND_HELP = `
ORDER is an order's id, or the client id that it was given; "client:7" is the client id 7. --qty is the new total, what is
filled included: at or below that, the rest is cancelled. A smaller quantity at the same price keeps its place in the
line; anything else is a new arrival, tested as one. A refused amend leaves the order as it was, and ends with 1.

Examples:
  venue amend 17 --price 451
  venue amend quote-7 --qty 2 --filled-at-most 0
`;

const CLOSE_HELP = `
It sends a reduce-only order for the whole position, at most 5 % beyond the best price of the other side; what does not
trade at once is cancelled. It ends with 1 if some of the position stays open, and with 5 if there is none.

Examples:
  venue close BTC-1795827600-C-92000
  venue close BTC-1795827600-C-92000 --slippage 20 --yes
`;

const BATCH_HELP = `
The file holds a list of 1 to 64 actions in JSON, as POST /v1/batch takes them: place, combo, amend, cancel, cancel-all,
guard, protect, unfreeze and margin-mode. One signature covers them all; they are carried out in order, and one that is
declined stops no other. With a malformed one nothing is sent. It ends with 1 if any was declined.

Examples:
  venue batch orders.json
  echo '[{"type": "cancel-all", "side": "buy"}, {"type": "guard", "ms": 30000}]' | venue batch -
`;

const GUARD_HELP = `
Unless the guard is renewed in time, all your orders and quotes leave the books, also when this machine or its line is
dead. DURATION is 5s to 10m. With --keep the command stays and renews the guard until it is stopped; then it removes it.
If it was asleep for too long and orders have left, it lists them and ends with exit code 6, unless --go-on is given.

Examples:
  venue guard 30s --keep
  venue guard 10m
  venue guard off
`;

/** Adds the commands that change what rests. */
function addChangeWords(venue: Command): void {
  withYes(withTraderOptions(venue.command('amend')))
    .description('change quantity or price of an order that rests')
    .argument('<order>', 'its id or its client id')
    .option('--qty <qty>', 'new total in contracts, what is filled included')
    .option('--price <price>', 'new price in USD for one contract')
    .option('--filled-at-most <qty>', 'only if no more than this is filled')
    .addHelpText('after', AMEND_HELP)
    .action(async (order: string, options: AmendOptions) => (await orders()).runAmendCommand(order, options));
  withTraderOptions(venue.command('cancel'))
    .description('take back one order, those of underlyings, or all')
    .argument('[order]', 'its id, as "venue orders" lists it, or its client id')
    .option('--symbol <symbol...>', 'every order of these underlyings')
    .option('--all', 'every order')
    .addHelpText(
      'after',
      '\nIt only takes risk away, so it never asks. It ends with 5 if there was nothing to cancel.\n\nExamples:\n  venue cancel 17\n  venue cancel --symbol BTC ETH\n  venue cancel --all\n',
    )
    .action(async (order: string | undefined, options: CancelOptions) =>
      (await import('./orders/cancels.ts')).runCancelCommand(order, options),
    );
  withYes(withTraderOptions(venue.command('close')))
    .description('close a position at the market')
    .argument('<series>', 'the contract, as "venue positions" lists it')
    .option(...SLIPPAGE_OPTION)
    .addHelpText('after', CLOSE_HELP)
    .action(async (series: string, options: CloseOptions) =>
      (await orders()).runCloseCommand(series, options),
    );
  withYes(withTraderOptions(venue.command('batch')))
    .description('carry out the actions of a file under one signature')
    .argument('<file>', 'actions in JSON; - for standard input')
    .addHelpText('after', BATCH_HELP)
    .action(async (file: string, options) =>
      (await import('./orders/batch.ts')).runBatchCommand(file, options),
    );
  withTraderOptions(venue.command('guard'))
    .description('have all your orders leave unless you renew this in time')
    .argument('<duration|off>', 'a length of time like 30s or 10m; off removes the guard')
    .option('--keep', 'stay, and renew it until stopped')
    .option('--go-on', 'with --keep: renew it also after it came due, when orders have left')
    .addHelpText('after', GUARD_HELP)
    .action(async (word: string, options: GuardOptions) =>
      (await import('./orders/guard.ts')).runGuardCommand(word, options),
    );
}

const PROTECT_HELP = `
A quote set is a ladder of quotes in each of an underlying's contracts, pushed together. SET is 1 to 16, QTY the contracts
that may trade before all its quotes leave at once and the set is frozen. The allowance is whole again after "venue
protect", "venue unfreeze", or the first push a --window after the first fill. With QTY 0 the set ends, and its quotes leave.

Examples:
  venue protect 1 BTC 10
  venue protect 1 BTC 10 --window 500ms --delta 4 --frozen 5s
  venue protect 1 BTC 0
`;

const QUOTE_HELP = `
The file holds a list of rows in JSON, one a contract: levels of price in USD and size in contracts, best first. A side that
is left out stays as it is; an empty one is pulled. A level that would trade at once is left out. The set must be protected.
Ends with 1 if any row was declined. A push is sent once; a newer one replaces it.

Examples:
  venue quote 1 ladders.json
  echo '[{"seriesId": "BTC-1795827600-C-92000", "bids": [[450, 1]], "asks": []}]' | venue quote 1 -
`;

/** Adds the commands of market makers. */
function addSetWords(venue: Command): void {
  withReadUrl(withTraderOptions(venue.command('sets')))
    .description('list your quote sets, and what is used of their protection')
    .addHelpText('after', '\nExamples:\n  venue sets\n  venue sets --json\n')
    .action(async (options) => (await sets()).runSetsCommand(options));
  withYes(withTraderOptions(venue.command('protect')))
    .description('make a quote set, change its protection, or end it')
    .argument('<set>', 'its number')
    .argument('<symbol>', 'the underlying that it quotes')
    .argument('<qty>', 'contracts that may trade; 0 ends it')
    .option('--window <duration>', 'a push so long after the first fill makes the allowance whole', '1s')
    .option('--delta <delta>', 'contracts times absolute delta that may trade, too')
    .option('--frozen <duration>', 'how long it stays frozen once used up (until unfrozen)')
    .addHelpText('after', PROTECT_HELP)
    .action(async (set: string, symbol: string, qty: string, options: ProtectOptions) =>
      (await sets()).runProtectCommand([set, symbol, qty], options),
    );
  withYes(withTraderOptions(venue.command('unfreeze')))
    .description('let a frozen quote set quote again')
    .argument('<set>', 'its number')
    .addHelpText('after', '\nExample:\n  venue unfreeze 1\n')
    .action(async (set: string, options) => (await sets()).runUnfreezeCommand(set, options));
  withYes(withTraderOptions(venue.command('quote')))
    .description('push ladders of quotes to a set')
    .argument('<set>', 'its number')
    .argument('<file>', 'rows in JSON; - for standard input')
    .addHelpText('after', QUOTE_HELP)
    .action(async (set: string, file: string, options) => (await sets()).runQuoteCommand(set, file, options));
}

const SLIPPAGE_OPTION = [
  '--slippage <percent>',
  `the most beyond the best opposite price, in percent, or none (${SLIPPAGE_PERCENT})`,
] as const;

function withOrder(command: Command): Command {
  return withTraderOptions(command)
    .argument('<series>', 'the contract, as "venue chain" lists it')
    .argument('<qty>', 'contracts')
    .option('--limit <price>', 'the most to pay, or the least to take, in USD for one contract')
    .option('--market', 'take what the book offers now; nothing is left resting')
    .option(...SLIPPAGE_OPTION)
    .addOption(
      new Option(
        '--tif <time>',
        'in force until cancelled, at once, all or nothing, or until a date (gtc)',
      ).choices(['gtc', 'ioc', 'fok', 'gtd']),
    )
    .option(
      '--expires <time>',
      'when it leaves: a length of time like 15m, or a time in UTC; means --tif gtd',
    )
    .option('--post-only', 'decline it rather than trade on arrival')
    .option('--reduce-only', 'no more than what closes your position')
    .addOption(
      new Option(
        '--stp <mode>',
        'where it meets an order of your own: cancel the taker, the maker or both, or none and trade (taker)',
      ).choices(['taker', 'maker', 'both', 'none']),
    )
    .option('--client-id <id>', 'a name of your own, by which it can be amended and cancelled');
}

const sets = () => import('./orders/sets.ts');
const orders = () => import('./orders/orders.ts');
