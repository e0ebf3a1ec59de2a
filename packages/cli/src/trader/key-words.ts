/** The subcommands for wallets and session keys. */

import type { Command } from 'commander';
import { withTraderOptions, withYes } from '../base/common-options.ts';
import type { ApproveOptions } from './account/session.ts';
import type { KeepOptions } from './account/wallet.ts';

const WALLET_HELP = `
A profile keeps one wallet, in VENUE_HOME or ~/.config/venue, in a file that nobody else may read. Anyone who has its key has
the account. With --profile there are as many wallets as you like. An encrypted one is an Ethereum keystore, as geth and
most wallets read it; its password is asked for, or read from the file that VENUE_WALLET_PASSWORD_FILE names.
`;

const ENCRYPTED_OPTION = ['--encrypted', 'only a password opens the file'] as const;

/** Adds `venue wallet` and `venue session` to the program. */
export function addKeyWords(venue: Command): void {
  const group = venue.command('wallet').description('make, take over and show the wallet of a profile');
  group.addHelpText('after', WALLET_HELP);
  withTraderOptions(group.command('new'))
    .description('make a wallet with a new random key')
    .option(...ENCRYPTED_OPTION)
    .addHelpText('after', '\nExamples:\n  venue wallet new --encrypted\n  venue wallet new --profile hedge\n')
    .action(async (options: KeepOptions) => (await wallet()).runNewCommand(options));
  withTraderOptions(group.command('encrypt'))
    .description('replace a wallet in clear by one that a password opens')
    .addHelpText('after', '\nExample:\n  venue wallet encrypt\n')
    .action(async (options) => (await wallet()).runEncryptCommand(options));
  withTraderOptions(group.command('import'))
    .description('take over a private key, which is asked for or read from standard input')
    .option(...ENCRYPTED_OPTION)
    .addHelpText('after', '\nExamples:\n  venue wallet import\n  venue wallet import < key.txt\n')
    .action(async (options: KeepOptions) => (await wallet()).runImportCommand(options));
  withTraderOptions(group.command('show'))
    .description('say whose wallet it is')
    .addHelpText('after', '\nExample:\n  venue wallet show\n')
    .action(async (options) => (await wallet()).runShowCommand(options));
  withYes(withTraderOptions(group.command('export')))
    .description('print the private key')
    .addHelpText('after', '\nExample:\n  venue wallet export --yes\n')
    .action(async (options) => (await wallet()).runExportCommand(options));
  addSessionWords(venue);
}

function addSessionWords(venue: Command): void {
  const group = venue
    .command('session')
    .description('approve, list and revoke the keys that sign orders for the wallet');
  withTraderOptions(group.command('approve'))
    .description('make a session key and have the wallet approve it')
    .option('--days <days>', 'until it expires, at most 30', '7')
    .addHelpText(
      'after',
      '\nThe commands of traders use it by themselves.\n\nExample:\n  venue session approve --days 1\n',
    )
    .action(async (options: ApproveOptions) => (await session()).runApproveCommand(options));
  withTraderOptions(group.command('list'))
    .description('list the keys that the venue takes for the wallet')
    .addHelpText('after', '\nExample:\n  venue session list\n')
    .action(async (options) => (await session()).runListCommand(options));
  withTraderOptions(group.command('revoke'))
    .description('revoke a session key permanently: the one in use here, or the one that is named')
    .argument('[key]', 'address of the session key')
    .addHelpText('after', '\nExample:\n  venue session revoke\n')
    .action(async (key: string | undefined, options) => (await session()).runRevokeCommand(key, options));
}

const wallet = () => import('./account/wallet.ts');
const session = () => import('./account/session.ts');
