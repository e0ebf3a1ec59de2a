/** `venue export` and `venue archive`: the entries of a log as a file. */

import type { Exported } from '@venue/audit';
import { type Command, InvalidArgumentError } from 'commander';
import { stopSignal } from '../base/stop-signal.ts';
import { type OutputOptions, show } from '../terminal/output.ts';
import { entryNumber, logSpec } from './verify.ts';
import { progressBar } from './verify-progress.ts';

const EXPORT_HELP = `
Writes a file that zstdcat can read, one JSON value a line, once the hashes of all entries have been checked. A node may
be running on the log meanwhile. A file that is there already is left alone.

Examples:
  venue export --out venue.zst
  venue verify --archive venue.zst
`;

const ARCHIVE_HELP = `
Exports what no start can need any more, which is what lies below the older of the two snapshots, reads the file back,
and only then takes it out of the log. A crash at any moment loses nothing. Keep the file: with it, the whole history can
still be verified. With SQLite the node must be stopped; with PostgreSQL it may run.

Examples:
  venue archive --out venue-2026-11.zst --keep snapshot    everything that may leave
  venue archive --out venue-2026-11.zst --keep 1000000     but no less than the newest million entries
`;

/** Adds the commands to the program. */
export function addArchiveCommands(venue: Command): void {
  venue
    .command('export')
    .description('write a log to one file')
    .requiredOption('--out <file>', 'the file to write')
    .option('--log <spec>', 'sqlite:<path> or postgres://…, instead of VENUE_LOG')
    .option('--from <entry>', 'begin with the batch of this entry', entryNumber)
    .option('--to <entry>', 'end with the batch of this entry', entryNumber)
    .option('--json', 'one JSON value on standard output, and nothing else')
    .addHelpText('after', EXPORT_HELP)
    .action(runExportCommand);
  venue
    .command('archive')
    .description('move old entries from a log to a file')
    .requiredOption('--out <file>', 'the file to write')
    .requiredOption('--keep <what>', 'entries to keep in the log, or "snapshot"', keep)
    .option('--log <spec>', 'sqlite:<path> or postgres://…, instead of VENUE_LOG')
    .option('--json', 'one JSON value on standard output, and nothing else')
    .addHelpText('after', ARCHIVE_HELP)
    .action(runArchiveCommand);
}

interface ExportCommandOptions extends OutputOptions {
  readonly out: string;
  readonly log?: string;
  readonly from?: number;
  readonly to?: number;
}

async function runExportCommand(options: ExportCommandOptions): Promise<void> {
  const { out, log, from, to } = options;
  const { exportLog } = await import('@venue/audit');
  const spec = log ?? (await logSpec());
  const progress = progressBar('export');
  const { onProgress } = progress;
  const exported = await exportLog({ out, log: spec, from, to, onProgress, signal: stopSignal() }).finally(
    () => progress.end(),
  );
  show(options, { out, ...exported }, () => [`exported ${description(exported)} to ${out}`]);
}

interface ArchiveCommandOptions extends OutputOptions {
  readonly out: string;
  readonly keep: number | 'snapshot';
  readonly log?: string;
}

async function runArchiveCommand(options: ArchiveCommandOptions): Promise<void> {
  const { out, keep, log } = options;
  const { archiveLog } = await import('@venue/audit');
  const spec = log ?? (await logSpec());
  const progress = progressBar('archive');
  const { onProgress } = progress;
  const archived = await archiveLog({ out, keep, log: spec, onProgress, signal: stopSignal() }).finally(() =>
    progress.end(),
  );
  show(options, { out, ...archived }, () => [
    'none' in archived
      ? `nothing to archive: ${archived.none}`
      : `archived ${description(archived)} to ${out}; the log begins at entry ${archived.toSeq + 1} now`,
  ]);
}

function description({ fromSeq, toSeq, hash, fileBytes }: Exported): string {
  return `entries ${fromSeq} to ${toSeq}, chain head ${toSeq}:${hash}, ${fileBytes} bytes`;
}

function keep(text: string): number | 'snapshot' {
  if (text === 'snapshot') return text;
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError('It must be a number of entries, or "snapshot".');
  return Number(text);
}
