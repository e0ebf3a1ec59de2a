/** The subcommands of `venue` and their help texts. Defining them loads nothing of what they start. */

import { readFileSync } from 'node:fs';
import { variablesHelp } from '@venue/config';
import type { Upstream } from '@venue/feed';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { addArchiveCommands } from './auditor/archive.ts';
import { addRekeyCommand } from './auditor/rekey.ts';
import { addVerifyCommand } from './auditor/verify.ts';
import { CHECK_OPTION } from './base/common-options.ts';
import { EXIT, EXIT_WORDS } from './base/exit-codes.ts';
import { SHELLS, type Shell } from './completion/shells.ts';
import { type Failure, failureText } from './connection/refusal.ts';
import { addCustodyCommands } from './custody/custody.ts';
import { addInitCommand } from './init/command.ts';
import { operatorsCommand } from './operator/names/command.ts';
import { operatorCommand } from './operator/words.ts';
import {
  runCrowdCommand,
  runExchangeCommand,
  runFeedCommand,
  runFollowerCommand,
  runMakerCommand,
  runUpCommand,
} from './process/commands.ts';
import { addPushCommand } from './process/push-command.ts';
import { addAccountWords } from './trader/account-words.ts';
import { addComboWords } from './trader/combo-words.ts';
import { addKeyWords } from './trader/key-words.ts';
import { addMarketWords } from './trader/market-words.ts';
import { addOrderWords } from './trader/order-words.ts';

const OVERVIEW = `
Examples:
  venue up                                  a whole paper market on http://127.0.0.1:8080
  venue wallet new                          a wallet of your own
  venue session approve                     a key that signs its orders for a week
  venue chain BTC                           what there is to trade
  venue buy SERIES 0.1 --limit 450.5        an order
  VENUE_PORT=9000 venue up                  the market on another port

From a clone of the repository, write "npm run -s venue --" for "venue"; "npm start" is "venue up".
docs/reference/command-line.md says how "venue" becomes a command of the shell.
"venue COMMAND --help" shows the options of a command, with an example.
${variablesHelp('venue', 'profile', 'wallet')}NO_COLOR turns colours off. The help of exchange, follower, feed, maker, watcher, batcher and attestor has the variables of each.

Exit codes: 0 done, 1 refused or failed, 2 usage error, 3 no answer from the venue, 4 a write whose outcome is not
known, 5 nothing to cancel, 130 interrupted. docs/reference/command-line.md says more.
`;

const UP_HELP = `
Each reads its own variables, which its help lists. What exchange, feed and maker know each other by is made up;
without VENUE_OPERATOR_TOKEN, and VENUE_SETTLE_TOKEN_1 and VENUE_SETTLE_TOKEN_2 or the hashes of those two, the routes
of operators are closed.

Example:
  VENUE_PORT=9000 venue up
`;

const EXCHANGE_HELP = `
Listens on VENUE_HOST and VENUE_PORT and keeps everything in VENUE_LOG. Prices come from a feed and quotes from a
maker, which prove themselves with VENUE_FEED_TOKEN and VENUE_MAKER_TOKEN.

Example:
  VENUE_FEED_TOKEN=… VENUE_MAKER_TOKEN=… venue exchange
${variablesHelp('exchange')}`;

const FOLLOWER_HELP = `
Follows VENUE_LOG, which an exchange writes, and answers on VENUE_HOST and VENUE_PORT what reads: market, accounts, both
streams, history, the terminal's pages. It appends nothing and sends those who write to VENUE_NODE_URL. A log in a file is
followed on the same machine. With VENUE_TOKEN_SECRET as the nodes have it, it knows the tokens they issue.

Example:
  VENUE_LOG=sqlite:./data/venue.db VENUE_PORT=8081 venue follower
${variablesHelp('follower')}`;

const FEED_HELP = `
Posts to the exchange at VENUE_URL with the secret VENUE_FEED_TOKEN, every VENUE_FEED_TICK_MS.
Prices come from where VENUE_FEED_SOURCE or an option says. Without either a paper market is simulated, going on from the
last prices of the exchange; with real money the feed does not start. Simulated and replayed sources are named sim:….

A recorded file is CSV with the header ts,symbol,source,price: unix milliseconds, ascending; a symbol; the name of
the price source; a price. packages/feed/samples/minutes.csv is one.

Live prices need the internet; docs/explanation/feeds.md says what is filtered and what is not verified.
  crypto   the crypto symbols from Kraken's public WebSocket: sources kraken:trades, kraken:ticker, kraken:mid
  pyth     the equities and indices from Pyth's Hermes: sources pyth:low and pyth:high

Examples:
  venue feed --replay prices.csv --speed 10
  venue feed --live crypto
${variablesHelp('feed')}`;

const MAKER_HELP = `
Quotes every listed series of the exchange at VENUE_URL around its Black-76 value, with the secret VENUE_MAKER_TOKEN
in a quote session of its own, or in the quote sets of the wallets of VENUE_MAKER_KEY, looking at the market every
VENUE_MAKER_TICK_MS.
docs/explanation/market-making.md explains the model and its parameters.

Example:
  VENUE_MAKER_TOKEN=… venue maker
${variablesHelp('maker')}`;

const CROWD_HELP = `
Trades on the exchange at VENUE_URL with VENUE_CROWD_TRADERS wallets, each with a session key and paper cash of its own:
buyers of calls and puts, writers of calls against calls they own, traders of spreads, and some who run after the spot.
Wallets are derived from VENUE_CROWD_KEY, so that a crowd that is started again goes on with what it holds.

Example:
  VENUE_CROWD_KEY=… venue crowd
${variablesHelp('crowd')}`;

const COMPLETION_HELP = `
Examples:
  source <(venue completion bash)     for this shell; in ~/.bashrc for every one
  source <(venue completion zsh)      in ~/.zshrc, after compinit
  venue completion fish | source      in ~/.config/fish/config.fish
`;

const UPSTREAMS: Readonly<Record<Upstream, true>> = { crypto: true, pyth: true };

const HELP_HELP = `
Examples:
  venue help buy
  venue help wallet new
`;

/**
 * The command line, ready to parse. An invalid one throws `CommanderError` after it was explained, as JSON if that is
 * asked for.
 */
export function program(asJson = false): Command {
  const venue = new Command('venue')
    .description('An exchange for cash-settled European options: trade on it, operate it, run it.')
    .version(ownVersion(), '-V, --version', 'print the version')
    // Options belong to the word before them: `settle propose --price` is not `settle --price propose`.
    .enablePositionalOptions()
    .addHelpText('after', OVERVIEW);
  venue.commandsGroup('Market:');
  addMarketWords(venue);
  venue.commandsGroup('Wallet and session:');
  addKeyWords(venue);
  venue.commandsGroup('Trading:');
  addOrderWords(venue);
  addComboWords(venue);
  addAccountWords(venue);
  venue.commandsGroup('Operating and proving:');
  addInitCommand(venue);
  venue.addCommand(operatorCommand());
  venue.addCommand(operatorsCommand());
  addVerifyCommand(venue);
  addArchiveCommands(venue);
  addRekeyCommand(venue);
  addCustodyCommands(venue);
  venue.commandsGroup('Processes:');
  addProcessWords(venue);
  addPushCommand(venue);
  venue.commandsGroup('Shell:');
  addHelpWord(venue);
  addCompletionWord(venue);
  for (const command of withBelow(venue)) {
    // One line, like every other refusal of this command.
    const outputError = (text: string, write: (text: string) => void) =>
      write(failureText(invalid(`${oneLine(text)} (${pathOf(command)} --help shows how)`), asJson));
    command.exitOverride().configureOutput({ outputError }).helpCommand(false);
  }
  return venue;
}

function ownVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function withBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withBelow)];
}

function invalid(error: string): Failure {
  return { error, code: EXIT_WORDS[EXIT.usage], exit: EXIT.usage };
}

function oneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trimEnd()
    .replaceAll('\n', ' ');
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function addProcessWords(venue: Command): void {
  venue
    .command('up')
    .description('start exchange, price feed and market maker together; Ctrl-C stops them')
    .addHelpText('after', UP_HELP)
    .action(runUpCommand);
  venue
    .command('exchange')
    .description('start the exchange alone')
    .option(...CHECK_OPTION)
    .addHelpText('after', EXCHANGE_HELP)
    .action(runExchangeCommand);
  venue
    .command('follower')
    .description('serve reads and streams from the log of an exchange, and append nothing')
    .option(...CHECK_OPTION)
    .addHelpText('after', FOLLOWER_HELP)
    .action(runFollowerCommand);
  venue
    .command('feed')
    .description('post prices: simulated, replayed from a file, or live')
    .option(...CHECK_OPTION)
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
    .option(...CHECK_OPTION)
    .addHelpText('after', MAKER_HELP)
    .action(runMakerCommand);
  venue
    .command('crowd')
    .description('trade on a paper market as a crowd of small traders')
    .option(...CHECK_OPTION)
    .addHelpText('after', CROWD_HELP)
    .action(runCrowdCommand);
}

function addHelpWord(venue: Command): void {
  venue
    .command('help')
    .description('show the help of a command, as --help after it does')
    .argument('[command...]', 'the words of the command')
    .addHelpText('after', HELP_HELP)
    .action((words: string[]) => below(venue, words).outputHelp());
}

function below(venue: Command, words: readonly string[]): Command {
  return words.reduce((group, word) => {
    const found = group.commands.find((command) => command.name() === word);
    return found ?? group.error(`error: unknown command '${word}'`);
  }, venue);
}

function addCompletionWord(venue: Command): void {
  venue
    .command('completion')
    .description('print a script that completes the words of this command in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', COMPLETION_HELP)
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./completion/scripts.ts');
      const { wordsOf } = await import('./completion/words.ts');
      process.stdout.write(completionScript(shell, wordsOf(venue)));
    });
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
