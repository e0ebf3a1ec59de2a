/** `venue push` tells devices whose tabs are closed; `venue push keys` makes the key that it needs. */

import { writeFileSync } from 'node:fs';
import { variablesHelp } from '@venue/config';
import type { Command } from 'commander';
import { showFindings } from '../base/check.ts';
import { CommandError } from '../base/command-error.ts';
import { CHECK_OPTION } from '../base/common-options.ts';
import { environment } from '../base/config.ts';
import { stopSignal, stopWithParent } from '../base/stop-signal.ts';
import type { ProcessOptions } from './commands.ts';
import { CHECKS } from './process-checks.ts';

const PUSH_HELP = `
Follows VENUE_LOG, which it only reads, and sends what is news to an account to the devices that its owner turned on in
the terminal. Browsers reach it at VENUE_PUSH_URL of the exchange. docs/how-to/run-push.md sets it up.

Examples:
  venue push keys ./push-key
  VENUE_PUSH_KEY_FILE=./push-key VENUE_PUSH_CONTACT=mailto:ops@venue.example venue push
${variablesHelp('push')}`;

const KEYS_HELP = `
The file is new, and only its user can read it. With another key than before, every device has to be turned on again,
which the terminal does when it is next opened.

Example:
  venue push keys ./push-key
`;

export function addPushCommand(venue: Command): void {
  const push = venue
    .command('push')
    .description('tell devices whose tabs are closed what happened to their accounts')
    .option(...CHECK_OPTION)
    .addHelpText('after', PUSH_HELP)
    .action(runPushCommand);
  push
    .command('keys')
    .description('make the key by which push services know the venue')
    .argument('<file>', 'the file to write it to')
    .addHelpText('after', KEYS_HELP)
    .action(runKeysCommand);
}

async function runPushCommand({ check }: ProcessOptions): Promise<void> {
  if (check) return showFindings(await CHECKS.push(environment()));
  const { loadPushConfig, runPush } = await import('@venue/push');
  stopWithParent();
  await runPush({ config: loadPushConfig(environment()), signal: stopSignal(), log: console.log });
}

async function runKeysCommand(file: string): Promise<void> {
  const { newKeys } = await import('@venue/push');
  const { privateKey, publicKey } = newKeys();
  try {
    writeFileSync(file, `${privateKey}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST' ? 'is there already, and is not overwritten' : `cannot be written (${code})`;
    throw new CommandError(`${file} ${why}`);
  }
  console.log(`the private key is in ${file}; the public one, which browsers are told, is ${publicKey}`);
}
