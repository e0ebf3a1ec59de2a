/** The words of the `venue` command and what each says of itself. They load nothing of what they start. */

import type { Upstream } from '@venue/feed';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addArchiveCommands } from './archive.ts';
import { runExchangeCommand, runFeedCommand, runMakerCommand, runUpCommand } from './commands.ts';
import { addCustodyCommands } from './custody.ts';
import { operatorCommand } from './operator.ts';
import { addVerifyCommand } from './verify.ts';

const OVERVIEW = `
Examples:
  venue up                                  a whole paper market on http://127.0.0.1:8080
  VENUE_PORT=9000 venue up                  the same on another port
  venue feed --replay prices.csv --speed 10 recorded prices, ten times as fast

From a clone of the repository, write "npm run -s venue --" for "venue"; "npm start" is "venue up".

Variables, each with its default:
  VENUE_HOST, VENUE_PORT   where the exchange listens (127.0.0.1, 8080)
  VENUE_LOG                where it keeps everything (sqlite:./data/venue.db)
  VENUE_SYMBOLS            underlyings (BTC:crypto,ETH:crypto,AAPL:equity,SPX:index)
  VENUE_PAPER_CASH         what a new paper account starts with (100000)
  VENUE_URL                where feed and maker find the exchange (http://127.0.0.1:8080)
  VENUE_FEED_TOKEN         secret of the feed; exchange and feed need the same one
  VENUE_MAKER_TOKEN        secret of the maker; exchange and maker need the same one
"venue up" makes up the secrets of its own processes; those of operators it takes from VENUE_OPERATOR_TOKEN,
VENUE_SETTLE_TOKEN_1 and VENUE_SETTLE_TOKEN_2, and without them their routes are closed.
`;

const EXCHANGE_HELP = `
Listens on VENUE_HOST and VENUE_PORT and keeps everything in VENUE_LOG. Prices come from a feed and quotes from a
maker, which prove themselves with VENUE_FEED_TOKEN and VENUE_MAKER_TOKEN.
`;

const FEED_HELP = `
Posts to the exchange at VENUE_URL with the secret VENUE_FEED_TOKEN, every VENUE_FEED_TICK_MS (250).
Without options it simulates VENUE_SYMBOLS, going on from the last prices of the exchange.

A recorded file is CSV with the header ts,symbol,source,price: unix milliseconds, ascending; a symbol; the name of
the price source; a price. packages/feed/samples/minutes.csv is one.

Live prices need the internet; docs/feeds.md says what is filtered and what is not verified.
  crypto   the crypto symbols from Kraken's public WebSocket: sources kraken:trades, kraken:ticker, kraken:mid
  pyth     the equities and indices from Pyth's Hermes: sources pyth:low and pyth:high
  VENUE_CRYPTO_URL, VENUE_PYTH_URL   where they are (wss://ws.kraken.com/v2, https://hermes.pyth.network)
  VENUE_CRYPTO_PAIRS   pairs other than SYMBOL/USD, as BTC=BTC/USDT,ETH=ETH/EUR
  VENUE_PYTH_IDS       price feed ids, as AAPL=0x…+0x…,SPX=0x…; those not given are looked up
  VENUE_PYTH_TOKEN     key of a Hermes that asks for one
  VENUE_FEED_OUTLIER_BPS, VENUE_FEED_MAX_AGE_MS, VENUE_FEED_SILENCE_MS   limits of the filter (500, 10000, 15000)
`;

const MAKER_HELP = `
Quotes every listed series of the exchange at VENUE_URL around its Black-76 value, with the secret VENUE_MAKER_TOKEN,
in a quote session of its own, looking at the market every VENUE_MAKER_TICK_MS (250).
  VENUE_MAKER_SURFACE        a file of volatility surfaces and limits instead of the one that comes along
  VENUE_MAKER_METRICS_PORT   serves metrics on this port of 127.0.0.1 (off)
docs/market-making.md explains the model and its parameters.
`;

const UPSTREAMS: Readonly<Record<Upstream, true>> = { crypto: true, pyth: true };

/** The command line, ready to parse. */
export function program(): Command {
  const venue = new Command('venue')
    .description('An exchange for cash-settled European options, and the processes around it.')
    .addHelpText('after', OVERVIEW)
    .showHelpAfterError('(venue --help shows what there is)');
  venue
    .command('up')
    .description('start exchange, price feed and market maker together; Ctrl-C stops them')
    .action(runUpCommand);
  venue
    .command('exchange')
    .description('start the exchange alone')
    .addHelpText('after', EXCHANGE_HELP)
    .action(runExchangeCommand);
  venue
    .command('feed')
    .description('post prices: simulated, replayed from a file, or live')
    .option('--replay <file>', 'replay a recorded CSV file instead of simulating')
    .addOption(
      new Option('--live <upstream...>', 'post live prices instead: crypto, pyth or both')
        .choices(Object.keys(UPSTREAMS))
        .conflicts(['replay', 'seed']),
    )
    .option('--speed <factor>', 'replay so many times as fast', positive, 1)
    .option('--seed <number>', 'simulate the same market every time', seed)
    .addHelpText('after', FEED_HELP)
    .action(runFeedCommand);
  venue
    .command('maker')
    .description('quote every listed series')
    .addHelpText('after', MAKER_HELP)
    .action(runMakerCommand);
  addCustodyCommands(venue);
  addVerifyCommand(venue);
  addArchiveCommands(venue);
  venue.addCommand(operatorCommand());
  return venue;
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('It must be a positive number.');
  return value;
}

function seed(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('It must be an integer.');
  return value;
}
