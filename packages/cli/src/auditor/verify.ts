/** `venue verify`. */

import type { NotedPoint } from '@venue/audit';
import { type Command, InvalidArgumentError } from 'commander';
import { environment } from '../base/config.ts';
import { show } from '../terminal/output.ts';
import { progressBar } from './verify-progress.ts';
import { verifyText } from './verify-text.ts';

const VERIFY_HELP = `
Replays every entry and checks the chain of hashes, each signature against the values it was given for, the invariants,
and the digest of every snapshot. A node may be running on the log meanwhile. Ends with 1 when anything is wrong, and
names the first entry that is.

Two people who verify the same entries get the same report digest, wherever they have them from.

Examples:
  venue verify                                          the log in VENUE_LOG
  venue verify --archive venue-1.zst venue-2.zst        archives alone, in the order of their entries
  venue verify --archive venue-1.zst --log sqlite:…     an archive, and the log that goes on after it
  venue verify --head 120000:9f86…                      also, that nothing was cut off since that was recorded
  venue verify --json | jq -cj .facts | sha256sum       the report digest, made by somebody else

Archives that a node keeps in a folder beside its log are joined by themselves (VENUE_ARCHIVE_MS).
Without the archives of what has left a log it begins with the oldest snapshot, and says so in the last line.
docs/how-to/audit.md says what is proven and what is not.
`;

/** Adds the command to the program. */
export function addVerifyCommand(venue: Command): void {
  venue
    .command('verify')
    .description('prove a log: hashes, signatures, invariants, snapshots')
    .option('--log <spec>', 'sqlite:<path> or postgres://…, instead of VENUE_LOG')
    .option('--archive <file...>', 'archives, in the order of their entries; alone, or with --log')
    .option('--to <entry>', 'nothing after the batch of this entry', entryNumber)
    .option('--head <entry:hash>', 'a recorded chain head, which the log must contain', chainHead)
    .option('--skip <entries>', 'entries that VENUE_SKIP_SEQ left out, with commas between', entryNumbers)
    .option('--json', 'one JSON value on standard output, and nothing else')
    .addHelpText('after', VERIFY_HELP)
    .action(runVerifyCommand);
}

interface VerifyCommandOptions {
  readonly log?: string;
  readonly archive?: readonly string[];
  readonly to?: number;
  readonly head?: NotedPoint;
  readonly skip?: readonly number[];
  readonly json?: true;
}

async function runVerifyCommand({ log, archive = [], to, head, skip = [], json }: VerifyCommandOptions) {
  const { verifyLog } = await import('@venue/audit');
  const spec = log ?? (archive.length > 0 ? undefined : await logSpec());
  const progress = progressBar('verify');
  const report = await verifyLog({
    log: spec,
    archives: archive.length > 0 || spec === undefined ? archive : await archivesBeside(spec),
    to,
    head,
    skipSeqs: new Set(skip),
    onProgress: progress.onProgress,
  }).finally(() => progress.end());
  show({ ...(json && { json }) }, report, () => verifyText(report));
  if (report.facts.fault !== null) process.exitCode = 1;
}

/** The archives that a node has moved out of a log in a file (LOG-5). */
async function archivesBeside(log: string): Promise<string[]> {
  const { besideLog } = await import('@venue/exchange/config');
  const { archivesIn } = await import('./archiver.ts');
  const folder = besideLog(log, 'archive');
  return folder === null ? [] : archivesIn(folder);
}

/** The log that the environment names; no other setting of the exchange is needed. */
export async function logSpec(): Promise<string> {
  const { loadLogSpec } = await import('@venue/exchange/config');
  return loadLogSpec(environment());
}

/** The number of an entry. */
export function entryNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be the number of an entry.');
  return Number(text);
}

const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/;

/** An entry and the hash after it, in the form of a report. */
function chainHead(text: string): NotedPoint {
  const [, seq, hash] = HEAD.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new InvalidArgumentError('It must be an entry, a colon and the hash after it, as in a report.');
  return { seq: Number(seq), hash };
}

function entryNumbers(text: string): number[] {
  return text.split(',').map(entryNumber);
}
