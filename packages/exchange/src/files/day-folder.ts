/** A day's files in a folder of their own, and the hashes beside them that show later damage. */

import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FoundFile, hashFile } from './hashed-file.ts';
import { DATA_FILES, dayName, dayOf, type Row, SUMS_FILE, type TableName } from './tables.ts';

/** The entry of the log up to which a day was known when its files were made; never served. */
export const ANCHOR_FILE = '.anchor';
export const MAKING = '.making-';
export const REPLACED = '.replaced-';
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

/** Removes what a crash has left. */
export function removeRemains(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (name.startsWith(MAKING) || name.startsWith(REPLACED))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/** The lines that `sha256sum` writes and reads. */
export function sumsOf(files: readonly { readonly name: string; readonly sha256: string }[]): string {
  return files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}
