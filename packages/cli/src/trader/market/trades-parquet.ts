/** Trades in a Parquet file, with the columns of the daily files (FIL-1). */

import { renameSync, rmSync } from 'node:fs';
import { parseSeriesId, type Trade } from '@venue/protocol';
import { CommandError } from '../../base/command-error.ts';

const MICROS = 1_000_000;

/** A folder that is not there, or may not be written, is no fault of this program. */
function openNew<T>(path: string, File: new (path: string) => T): T {
  try {
    rmSync(path, { force: true });
    return new File(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/**
 * Writes trades to a file, which has its name only once it is complete. Returns how many there were. Throws the error of the
 * source or of the disk.
 */
export async function writeTradesParquet(path: string, trades: AsyncIterable<Trade>): Promise<number> {
  const { HashedFile, ParquetTable, TABLES } = await import('@venue/exchange/files');
  const part = `${path}.part`;
  const file = openNew(part, HashedFile);
  let count = 0;
  try {
    const table = new ParquetTable(file, TABLES.trades);
    for await (const { id, ts, seriesId, side, qty, price, self } of trades) {
      const symbol = parseSeriesId(seriesId)!.symbol;
      table.add([
        id,
        ts,
        seriesId,
        symbol,
        side,
        ...[qty, price].map((amount) => Math.round(amount * MICROS)),
        Number(self ?? false),
      ]);
      count += 1;
    }
    table.end();
    file.finish();
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    file.close();
  }
  renameSync(part, path);
  return count;
}
