/** The subcommands of traders that read the market, and their help texts. Their code is loaded on demand. */

import type { Command } from 'commander';
import { withPublicOptions, withReadUrl, withTraderOptions } from '../base/common-options.ts';
import type { FilesOptions } from './market/files.ts';
import type { GreeksOptions } from './market/greeks.ts';
import type { HoursOptions } from './market/hours.ts';
import type { ChainOptions, ExpiryOptions } from './market/market.ts';
import type { CandlesOptions, TradesOptions } from './market/market-history.ts';
import type { WatchOptions } from './market/watch.ts';

/** Adds the commands of the market to the program. */
export function addMarketWords(venue: Command): void {
  withReadUrl(withPublicOptions(venue.command('series')))
    .description('list the underlyings, the expiries of one, or the contracts of an expiry')
    .argument('[symbol]', 'the underlying')
    .option('--expiry <day>', 'a day in New York like 2026-11-27, or unix seconds')
    .addHelpText(
      'after',
      '\nExamples:\n  venue series\n  venue series BTC\n  venue series BTC --expiry 2026-11-27\n',
    )
    .action(async (symbol: string | undefined, options: ExpiryOptions) =>
      (await market()).runSeriesCommand(symbol, options),
    );
  withReadUrl(withPublicOptions(venue.command('chain')))
    .description('show calls and puts of an expiry side by side')
    .argument('<symbol>', 'the underlying')
    .option(
      '--expiry <day>',
      'a day in New York like 2026-11-27, or unix seconds (the next with half an hour left)',
    )
    .option('--strikes <count>', 'so many of them on each side of the spot, in the table', '10')
    .addHelpText('after', '\nExamples:\n  venue chain BTC\n  venue chain BTC --expiry 2026-11-27 --json\n')
    .action(async (symbol: string, options: ChainOptions) =>
      (await market()).runChainCommand(symbol, options),
    );
  withReadUrl(withPublicOptions(venue.command('book')))
    .description('show the bids and asks of a contract')
    .argument('<series>', 'the contract')
    .addHelpText('after', '\nExample:\n  venue book BTC-1795827600-C-92000\n')
    .action(async (series: string, options) => (await market()).runBookCommand(series, options));
  addVolatilityWords(venue);
  addPastWords(venue);
  const watch = venue.command('watch');
  withReadUrl(withTraderOptions(watch))
    .description('follow the market or the account as it changes')
    .argument('[symbol]', 'one underlying instead of all')
    .option('--account', 'your cash, positions, orders and fills')
    .addHelpText(
      'after',
      `
Redrawn in place on a terminal until Ctrl-C; elsewhere one line for each change, and with --json one frame a line. A lost
connection is made again; what was missed meanwhile is read before it goes on.

Examples:
  venue watch BTC
  venue watch --account
  venue watch --json | grep '"type":"tape"'
  venue watch book BTC-1795827600-C-92000
`,
    )
    .action(async (symbol: string | undefined, options: WatchOptions) =>
      (await import('./market/watch.ts')).runWatchCommand(symbol, options),
    );
  addChannelWords(watch);
}

function addPastWords(venue: Command): void {
  withReadUrl(withPublicOptions(venue.command('candles')))
    .description('list the prices of an underlying or a contract by time')
    .argument('<of>', 'spot:SYMBOL, or mark:SERIES or trade:SERIES')
    .option('--interval <length>', '1m, 5m, 15m, 1h, 4h or 1d', '1h')
    .option('--from <time>', 'a day or time in UTC, included (the last 1,500 candles)')
    .option('--to <time>', 'a day or time in UTC, excluded (now)')
    .option('--csv', 'comma-separated values, as spreadsheets read them')
    .addHelpText(
      'after',
      '\nExamples:\n  venue candles spot:BTC\n  venue candles spot:BTC --interval 1m --from 2026-11-01 --csv > btc.csv\n',
    )
    .action(async (of: string, options: CandlesOptions) =>
      (await marketHistory()).runCandlesCommand(of, options),
    );
  withReadUrl(withPublicOptions(venue.command('history')))
    .description('list all trades of an underlying or a contract, newest first')
    .argument('<what>', 'the underlying, or the contract')
    .option('--limit <count>', 'so many of them (50; with --csv or --parquet all)')
    .option('--before <id>', 'those older than this trade')
    .option('--from <time>', 'a day or time in UTC, included (the beginning)')
    .option('--to <time>', 'a day or time in UTC, excluded (now)')
    .option('--csv', 'comma-separated values, as spreadsheets read them')
    .option('--parquet <file>', 'write them to a file in Parquet')
    .addHelpText(
      'after',
      '\nExamples:\n  venue history BTC\n  venue history BTC-1795827600-C-92000 --csv > trades.csv\n  venue history BTC --from 2026-11-01 --to 2026-12-01 --parquet november.parquet\n',
    )
    .action(async (what: string, options: TradesOptions) =>
      (await marketHistory()).runTradesCommand(what, options),
    );
  withReadUrl(withPublicOptions(venue.command('files')))
    .description('list the files of finished days, or download those a folder lacks')
    .option('--from <day>', 'the first day, in UTC (the first that there is)')
    .option('--to <day>', 'the last day, in UTC (the last that is over)')
    .option('--into <folder>', 'download them into a folder, each checked by its hash')
    .option('--format <format>', 'only csv or only parquet')
    .addHelpText(
      'after',
      '\nExamples:\n  venue files\n  venue files --from 2026-11-01 --into venue-files --format parquet\n',
    )
    .action(async (options: FilesOptions) => (await import('./market/files.ts')).runFilesCommand(options));
}

/** Adds the commands of volatility to the program. */
function addVolatilityWords(venue: Command): void {
  withReadUrl(withPublicOptions(venue.command('greeks')))
    .description('show volatility, greeks and volume of an expiry, or of one contract')
    .argument('<what>', 'the underlying, or the contract')
    .option(
      '--expiry <day>',
      'a day in New York like 2026-11-27, or unix seconds (the next with half an hour left)',
    )
    .option('--strikes <count>', 'so many of them on each side of the spot, in the table', '10')
    .addHelpText(
      'after',
      `
By Black's formula at the volatility that the mark implies: delta and gamma for a dollar of the underlying, vega for a
point of volatility, theta for a day, each of one contract in USD.

Examples:
  venue greeks BTC
  venue greeks BTC --expiry 2026-11-27 --json
  venue greeks BTC-1795827600-C-92000
`,
    )
    .action(async (what: string, options: GreeksOptions) => (await greeks()).runGreeksCommand(what, options));
  withReadUrl(withPublicOptions(venue.command('volatility')))
    .description('show the 30-day volatility index of an underlying, now and by the hour')
    .argument('<symbol>', 'the underlying')
    .option('--from <time>', 'a day or time in UTC, included (the last day)')
    .option('--to <time>', 'a day or time in UTC, excluded (now)')
    .option('--csv', 'comma-separated values, as spreadsheets read them')
    .addHelpText(
      'after',
      '\nExamples:\n  venue volatility BTC\n  venue volatility BTC --from 2026-11-01 --csv > volatility.csv\n',
    )
    .action(async (symbol: string, options: HoursOptions) =>
      (await hours()).runVolatilityCommand(symbol, options),
    );
}

const CHANNEL_HELP = (example: string) => `
Redrawn in place on a terminal until Ctrl-C; elsewhere one line for each change, and with --json one message of the
stream a line. A lost connection is made again, and nothing is missed or told twice.

Example:
  ${example}
`;

/** Adds the channels of the stream that can be watched. */
function addChannelWords(watch: Command): void {
  withReadUrl(withPublicOptions(watch.command('book')))
    .description('follow the whole book of a contract')
    .argument('<series>', 'the contract')
    .addHelpText('after', CHANNEL_HELP('venue watch book BTC-1795827600-C-92000'))
    .action(async (series: string, options) => (await channels()).runWatchBookCommand(series, options));
  withReadUrl(withPublicOptions(watch.command('chain')))
    .description('follow calls and puts of an expiry')
    .argument('<symbol>', 'the underlying')
    .option(
      '--expiry <day>',
      'a day in New York like 2026-11-27, or unix seconds (the next with half an hour left)',
    )
    .option('--strikes <count>', 'so many of them on each side of the spot, in the table', '10')
    .addHelpText('after', CHANNEL_HELP('venue watch chain BTC --expiry 2026-11-27'))
    .action(async (symbol: string, options: ChainOptions) =>
      (await channels()).runWatchChainCommand(symbol, options),
    );
  withReadUrl(withPublicOptions(watch.command('trades')))
    .description('follow the public trades of an underlying')
    .argument('<symbol>', 'the underlying')
    .addHelpText('after', CHANNEL_HELP('venue watch trades BTC --json'))
    .action(async (symbol: string, options) => (await channels()).runWatchTradesCommand(symbol, options));
}

function channels() {
  return import('./market/watch-channels.ts');
}

const market = () => import('./market/market.ts');
const greeks = () => import('./market/greeks.ts');
const hours = () => import('./market/hours.ts');
const marketHistory = () => import('./market/market-history.ts');
