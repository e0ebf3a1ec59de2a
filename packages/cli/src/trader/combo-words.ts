/** The subcommands of spreads and simulations, and their help texts. Their code is loaded on demand. */

import { type Command, Option } from 'commander';
import { withTraderOptions, withYes } from '../base/common-options.ts';
import type { ComboOptions, SpreadOptions } from './combos/combos.ts';
import type { SimulateOptions } from './combos/simulate.ts';

const NET_HELP = `
All legs trade in one entry, or none does. NET is the most that a unit may cost in USD before fees, negative if it has to
bring in; without --net it is what the best prices add up to now, and --net none takes any price. Where the venue holds real
money it first shows what the order costs and what it can lose, and asks; where there is no terminal it needs --yes.
--preview shows the same and places nothing. Positions that it closes are named, and do not count in what it can lose. It
ends with 1 if it is declined, or if nothing trades at that net.
`;

const COMBO_HELP = `
A leg is buy:SERIES or sell:SERIES, with a number of contracts a unit between them where that is not one. Two to four legs
of one underlying, each of another contract.
${NET_HELP}
Examples:
  venue combo buy:BTC-1795827600-C-92000 sell:BTC-1795827600-C-94000 --net 520
  venue combo buy:BTC-1795827600-C-92000 sell:2:BTC-1795827600-C-94000 --qty 0.5 --tif fok --preview
`;

const SPREAD_HELP = `
A strike is a number, or atm, atm+2 or atm-2: so many listed strikes from the one next to the spot.

  vertical SYMBOL call|put BOUGHT SOLD
  straddle SYMBOL buy|sell STRIKE
  strangle SYMBOL buy|sell PUT CALL
  butterfly SYMBOL buy|sell call|put LOW MIDDLE HIGH
  condor SYMBOL buy|sell call|put LOWEST LOW HIGH HIGHEST
  iron-condor SYMBOL buy|sell LOWEST LOW HIGH HIGHEST
  calendar SYMBOL buy|sell call|put STRIKE --far DAY
  collar SYMBOL PUT CALL
  covered-call SYMBOL OWNED SOLD
${NET_HELP}
Examples:
  venue spread vertical BTC call 92000 94000
  venue spread iron-condor BTC sell atm-4 atm-2 atm+2 atm+4 --expiry 2026-11-27 --preview
  venue spread calendar BTC buy put atm --far 2026-12-04 --net 300
`;

const ROLL_HELP = `
It closes the position in FROM and opens the same in TO, long for long and short for short, as one order. --qty rolls a part
of it. It ends with 5 if there is no position.
${NET_HELP}
Example:
  venue roll BTC-1795827600-C-92000 BTC-1796432400-C-92000 --net -20
`;

const SIMULATE_HELP = `
A leg is buy:QTY:SERIES or sell:QTY:SERIES, with @PRICE for another price than the mark. Without legs it is the account as
it is. Nothing is placed, checked or charged. The table has the profit and loss of all positions by the price of the
underlying, at once and at each expiry, without fees; with --json there are 41 prices. A spot moves by -99 to 1000
percent, a volatility by -500 to 500 points.

Examples:
  venue simulate
  venue simulate sell:1:BTC-1795827600-C-92000@450 --spot-shift -10 --vol-shift 5
`;

/** Adds the commands of spreads and simulations to the program. */
export function addComboWords(venue: Command): void {
  withNet(venue.command('combo'))
    .description('trade two to four contracts in one order')
    .argument('<leg...>', 'buy:SERIES, or sell:2:SERIES')
    .addHelpText('after', COMBO_HELP)
    .action(async (legs: string[], options: ComboOptions) => (await combos()).runComboCommand(legs, options));
  withNet(venue.command('spread'))
    // Both are asked for by the kind, which is looked at first.
    .usage('[options] <kind> <symbol> <words...>')
    .description('trade a spread by its name')
    .argument(
      '<kind>',
      'vertical, straddle, strangle, butterfly, condor, iron-condor, calendar, collar or covered-call',
    )
    .argument('[symbol]', 'the underlying')
    .argument('[words...]', 'sides, rights and strikes, as below')
    .option(
      '--expiry <day>',
      'a day in New York like 2026-11-27, or unix seconds (the next with half an hour left)',
    )
    .option('--far <day>', 'the later expiry of a calendar')
    .addHelpText('after', SPREAD_HELP)
    .action(async (kind: string, symbol: string | undefined, words: string[], options: SpreadOptions) =>
      (await combos()).runSpreadCommand([kind, symbol, ...words], options),
    );
  withNet(venue.command('roll'), 'units (all that is held)')
    .description('close a position and open the same in another contract')
    .argument('<from>', 'the contract that is held')
    .argument('<to>', 'another one of the same underlying')
    .addHelpText('after', ROLL_HELP)
    .action(async (from: string, to: string, options: ComboOptions) =>
      (await combos()).runRollCommand(from, to, options),
    );
  withTraderOptions(venue.command('simulate'))
    .description('show what trades, or a move of the market, would make of your account')
    .argument('[leg...]', 'buy:QTY:SERIES, or sell:QTY:SERIES@PRICE')
    .option('--spot-shift <percent>', 'by how much every spot moves, -99 to 1000: -10 is 10 % down')
    .option('--vol-shift <points>', 'points added to every volatility, -500 to 500')
    .addHelpText('after', SIMULATE_HELP)
    .action(async (legs: string[], options: SimulateOptions) =>
      (await import('./combos/simulate.ts')).runSimulateCommand(legs, options),
    );
}

function withNet(command: Command, qtyHelp = 'units (1)'): Command {
  return withYes(withTraderOptions(command))
    .option('--qty <qty>', qtyHelp)
    .option('--net <net>', 'the most a unit may cost in USD, negative to bring in, or none')
    .addOption(
      new Option('--tif <time>', 'what trades at once, or all or nothing (ioc)').choices(['ioc', 'fok']),
    )
    .option('--client-id <id>', 'a name of your own, by which it can be looked up')
    .option('--preview', 'show what it would cost and what it can lose; place nothing');
}

function combos() {
  return import('./combos/combos.ts');
}
