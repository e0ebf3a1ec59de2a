/** `venue rekey`. */

import type { Command } from 'commander';
import { type OutputOptions, show } from '../terminal/output.ts';
import { logSpec } from './verify.ts';

const REKEY_HELP = `
A copy of a log has the id of the original, so that a batch signed for one venue would count on the other, too. This
appends an entry with a new id. Run it before a node is started on the copy; clients that know the copy by its old id
then stop and say so. No node may be running on the log.

Example:
  cp data/venue.db copy.db
  venue rekey --log sqlite:copy.db
`;

/** Adds the command to the program. */
export function addRekeyCommand(venue: Command): void {
  venue
    .command('rekey')
    .description('give a copied log an id of its own')
    .option('--log <spec>', 'sqlite:<path> or postgres://…, instead of VENUE_LOG')
    .option('--json', 'one JSON value on standard output, and nothing else')
    .addHelpText('after', REKEY_HELP)
    .action(runRekeyCommand);
}

interface RekeyCommandOptions extends OutputOptions {
  readonly log?: string;
}

async function runRekeyCommand(options: RekeyCommandOptions): Promise<void> {
  const { rekeyLog } = await import('@venue/audit');
  const rekeyed = await rekeyLog(options.log ?? (await logSpec()));
  const { from, to, seq } = rekeyed;
  show(options, rekeyed, () => [`entry ${seq}: the id was ${from} and is ${to}`]);
}
