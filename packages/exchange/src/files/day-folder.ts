/**
 * A day's files in a folder of their own. They appear all at once under the day's name, complete and flushed, so a crash
 * leaves the day as it was; the hashes beside them show later damage.
 */

import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CsvTable } from './csv.ts';
import { type FoundFile, flushFolder, HashedFile, hashFile } from './hashed-file.ts';
import { ParquetTable } from './parquet.ts';
import {
  DATA_FILES,
  dayName,
  dayOf,
  type Row,
  SUMS_FILE,
  TABLE_NAMES,
  TABLES,
  type TableName,
} from './tables.ts';

/** The entry of the log up to which a day was known when its files were made; never served. */
const ANCHOR_FILE = '.anchor';
const MAKING = '.making-';
const REPLACED = '.replaced-';
const SUMS_BYTES_MAX = 4_096;

export type DayFileName = (typeof DATA_FILES)[number] | typeof SUMS_FILE;

/** A finished day as it is served. */
export interface Day {
  /** Such as `2026-11-24`. */
  readonly day: string;
  readonly files: readonly (FoundFile & { readonly name: DayFileName })[];
}

export interface RowSource {
  rowsOf(table: TableName, day: number): Iterable<Row>;
}

/** The days with a folder, ascending; a link is none. */
export function daysIn(folder: string): number[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => dayOf(name))
    .filter((day) => day !== undefined)
    .sort((a, b) => a - b);
}

/** The text by which a day's files say which log they are of; empty where it is missing. */
export function anchorOf(folder: string, day: number): string {
  try {
    return readFileSync(join(folder, dayName(day), ANCHOR_FILE), 'utf8');
  } catch {
    return '';
  }
}

/** Reads a day's files and compares them with their hashes. Null if any of them is missing or damaged. */
export function checkDay(folder: string, day: number): Day | null {
  const path = join(folder, dayName(day));
  try {
    const sumsPath = join(path, SUMS_FILE);
    if (!lstatSync(path).isDirectory() || lstatSync(sumsPath).size > SUMS_BYTES_MAX) return null;
    const files = DATA_FILES.map((name) => ({ name, ...hashFile(join(path, name)) }));
    const sums = hashFile(sumsPath);
    if (readFileSync(sumsPath, 'utf8') !== sumsOf(files)) return null;
    return { day: dayName(day), files: [...files, { name: SUMS_FILE, ...sums }] };
  } catch {
    return null;
  }
}

/**
 * Makes a day's files, in the place of those there are. The source must have every row of the day. Throws the error of
 * the disk, and then leaves what there was.
 */
export function makeDay(folder: string, day: number, source: RowSource, anchor: string): Day {
  const name = dayName(day);
  const making = join(folder, `${MAKING}${name}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making);
  try {
    const files = TABLE_NAMES.flatMap((table) => makeTable(making, table, source.rowsOf(table, day)));
    files.sort((a, b) => DATA_FILES.indexOf(a.name) - DATA_FILES.indexOf(b.name));
    writeText(join(making, SUMS_FILE), sumsOf(files));
    writeText(join(making, ANCHOR_FILE), anchor);
    flushFolder(making);
    replace(folder, name, making);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
  const made = checkDay(folder, day);
  if (made === null) throw new Error(`the files of ${name} are not what was written to them`);
  return made;
}

/** Removes what a crash has left. */
export function removeRemains(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (name.startsWith(MAKING) || name.startsWith(REPLACED))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/** The lines that `sha256sum` writes and reads. */
function sumsOf(files: readonly { readonly name: string; readonly sha256: string }[]): string {
  return files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}

type Hashed = { readonly name: (typeof DATA_FILES)[number]; readonly sha256: string };

/** Both formats at once, so that the rows are read once. */
function makeTable(path: string, table: TableName, rows: Iterable<Row>): Hashed[] {
  const names = [`${table}.csv`, `${table}.parquet`] as const;
  const files: HashedFile[] = [];
  try {
    for (const name of names) files.push(new HashedFile(join(path, name)));
    const columns = TABLES[table];
    const tables = [new CsvTable(files[0]!, columns), new ParquetTable(files[1]!, columns)];
    for (const row of rows) for (const one of tables) one.add(row);
    for (const one of tables) one.end();
    return names.map((name, i) => ({ name, sha256: files[i]!.finish() }));
  } finally {
    for (const file of files) file.close();
  }
}

function writeText(path: string, text: string): void {
  const file = new HashedFile(path);
  try {
    file.write(Buffer.from(text));
    file.finish();
  } finally {
    file.close();
  }
}

/** A folder cannot take the place of another one in one step; after a crash in between the day is made again. */
function replace(folder: string, name: string, making: string): void {
  const path = join(folder, name);
  const replaced = join(folder, `${REPLACED}${name}-${process.pid}`);
  rmSync(replaced, { recursive: true, force: true });
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) renameSync(path, replaced);
  renameSync(making, path);
  flushFolder(folder);
  rmSync(replaced, { recursive: true, force: true });
}
