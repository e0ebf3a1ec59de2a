/** `venue files`: lists the files of finished days, and downloads them. */

import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type DailyFile, type FileDay, NotFoundError, type VenueClient } from '@venue/sdk';
import { CommandError, usageError } from '../../base/command-error.ts';
import { instantOf } from '../../connection/arguments.ts';
import { type CommonOptions, readingClient } from '../../connection/connection.ts';
import { byteCount } from '../../terminal/byte-count.ts';
import { show } from '../../terminal/output.ts';
import { type Column, type Page, table } from '../../terminal/table.ts';

/** Lists the hashes of the others, so it is no data. */
const SUMS = 'SHA256SUMS';
const FORMATS = ['csv', 'parquet'] as const;
const DAY_CHARS = '2026-11-24'.length;
/** Names are the venue's, and become names of files here. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/;

export interface FilesOptions extends CommonOptions {
  readonly from?: string;
  readonly to?: string;
  readonly into?: string;
  readonly format?: string;
}

/** The result of downloading a file. */
export interface FileOutcome {
  readonly path: string;
  readonly bytes: number;
  readonly outcome: 'downloaded' | 'there already';
}

/** Lists the days of a span; with `--into`, downloads what the folder lacks of them, each file checked by its hash. */
export async function runFilesCommand(options: FilesOptions): Promise<void> {
  const { into, format } = options;
  if (format !== undefined && !FORMATS.some((one) => one === format))
    throw usageError(`--format is one of ${FORMATS.join(', ')}, not "${format}"`);
  if (format !== undefined && into === undefined)
    throw usageError('--format needs --into, the folder to fill');
  const client = readingClient(options);
  const days = within(await daysOf(client), options);
  if (into === undefined) show(options, days, (page) => daysText(days, page));
  else {
    const outcomes = await fill(client, { into, format, days });
    show(options, outcomes, () => outcomesText(outcomes, into));
  }
}

async function daysOf({ files }: VenueClient): Promise<readonly FileDay[]> {
  try {
    return await files.days();
  } catch (error) {
    if (error instanceof NotFoundError) throw new CommandError('this venue keeps no daily files');
    throw error;
  }
}

function within(days: readonly FileDay[], { from, to }: FilesOptions): FileDay[] {
  const bound = (option: string, text: string | undefined) =>
    text && new Date(instantOf(option, text)).toISOString().slice(0, DAY_CHARS);
  const [first, last] = [bound('--from', from), bound('--to', to)];
  if (first && last && first > last) throw usageError('--from is after --to');
  return days.filter(({ day }) => (!first || day >= first) && (!last || day <= last));
}

interface Wanted {
  readonly into: string;
  readonly format: string | undefined;
  readonly days: readonly FileDay[];
}

async function fill(client: VenueClient, { into, format, days }: Wanted): Promise<FileOutcome[]> {
  const wanted = days.flatMap(({ day, files }) =>
    files
      .filter(({ name }) => format === undefined || name === SUMS || name.endsWith(`.${format}`))
      .map((file) => ({ day, file })),
  );
  for (const { day, file } of wanted)
    if (!DAY.test(day) || !FILE_NAME.test(file.name))
      throw new CommandError(`the venue names a file that cannot be one here: ${day}/${file.name}`);
  const outcomes: FileOutcome[] = [];
  for (const { day, file } of wanted) {
    const path = join(into, day, file.name);
    const { bytes } = file;
    const isThere = await hasIt(path, file);
    if (!isThere) await download(client, { day, file, path });
    outcomes.push({ path, bytes, outcome: isThere ? 'there already' : 'downloaded' });
  }
  return outcomes;
}

async function hasIt(path: string, { sha256 }: DailyFile): Promise<boolean> {
  if (!existsSync(path)) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === sha256;
}

interface Download {
  readonly day: string;
  readonly file: DailyFile;
  readonly path: string;
}

/** The file has its name only once all its bytes are there and right. */
async function download({ files }: VenueClient, { day, file, path }: Download): Promise<void> {
  const part = `${path}.part`;
  const target = await openNew(part);
  try {
    const parts = byteCount(`${day}/${file.name}`, file.bytes, files.download(day, file));
    for await (const bytes of parts) await target.writeFile(bytes);
    await target.sync();
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await target.close();
  }
  await rename(part, path);
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await open(path, 'w');
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

function daysText(days: readonly FileDay[], page: Page): string[] {
  if (days.length === 0) return ['no finished day yet'];
  return table(DAY_COLUMNS, days, page);
}

const DAY_COLUMNS: readonly Column<FileDay>[] = [
  { title: 'day (UTC)', cell: ({ day }) => day, rank: 0 },
  { title: 'kB', cell: ({ files }) => Math.ceil(totalBytes(files) / 1_000), places: [0, 0], rank: 0 },
  { title: 'files', cell: ({ files }) => files.map(({ name }) => name).join(' '), rank: 1, shortest: 10 },
];

function totalBytes(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function outcomesText(outcomes: readonly FileOutcome[], into: string): string[] {
  const got = outcomes.filter(({ outcome }) => outcome === 'downloaded');
  const kept = outcomes.length - got.length;
  const there = kept === 0 ? '' : `, ${kept} there already`;
  return [
    `${into}: ${got.length} files downloaded (${Math.ceil(totalBytes(got) / 1_000)} kB)${there}, all as their hashes say`,
  ];
}
