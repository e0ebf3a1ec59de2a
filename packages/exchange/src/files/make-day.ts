/**
 * Makes a day's files. They appear all at once under the day's name, complete and flushed, so a crash leaves the day as it
 * was. Apart from what only looks at them, as the writer of Parquet is a library that most processes need not load.
 */

import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CsvTable } from './csv.ts';
import { ANCHOR_FILE, checkDay, type Day, MAKING, REPLACED, type RowSource, sumsOf } from './day-folder.ts';
import { flushFolder, HashedFile } from './hashed-file.ts';
import { ParquetTable } from './parquet.ts';
import { DATA_FILES, dayName, type Row, SUMS_FILE, TABLE_NAMES, TABLES, type TableName } from './tables.ts';

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
