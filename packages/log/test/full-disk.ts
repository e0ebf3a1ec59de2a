// Fills the disk below argv[2] with a log, makes room again, and prints what the log did, as JSON. The folder must be
// its own small file system.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogFullError } from '../src/errors.ts';
import { openSqliteLog } from '../src/sqlite/log.ts';
import { verifyAll } from './behaviour-chain.ts';
import { readAll, text } from './behaviour-tools.ts';

const folder = process.argv[2]!;
const path = join(folder, 'venue.db');
const filler = join(folder, 'filler');
const reserve = join(folder, 'reserve');
const IN_FLIGHT = 16;

const acknowledged: string[] = [];
const refused: string[] = [];
const otherErrors: string[] = [];

writeFileSync(filler, Buffer.alloc(1_300_000));
writeFileSync(reserve, Buffer.alloc(2_000_000));
const log = await openSqliteLog({ path });
let failed = '';
log.failed.then((error) => {
  failed = error.message;
});

const untilFull = async (client: number) => {
  for (let i = 0; refused.length < 50 && otherErrors.length === 0; i++)
    await tryAppend(`full-${client}-${i}`);
};
await Promise.all(Array.from({ length: IN_FLIGHT }, (_, client) => untilFull(client)));
const before = acknowledged.length;
const writable = [log.status().writable];
const snapshot = await log
  .saveSnapshot({ seq: 1, version: 1, digest: '', body: Buffer.alloc(2_000_000) })
  .then(
    () => 'saved',
    (error: Error) => error.name,
  );

rmSync(filler);
for (let i = 0; i < 100; i++) await tryAppend(`room-${i}`);
writable.push(log.status().writable);
const { seq } = await log.head();
await log.close();

// A start moves the WAL into the file, which needs room for both.
rmSync(reserve);
const again = await openSqliteLog({ path });
const stored = await readAll(again);
const { verified } = await verifyAll(again);
await again.close();
console.log(
  JSON.stringify({
    failed,
    otherErrors,
    writable,
    snapshot,
    before,
    refused: refused.length,
    after: acknowledged.length - before,
    isSame:
      stored.map(text).toSorted().join() === acknowledged.toSorted().join() &&
      stored.length === seq &&
      verified.seq === seq,
  }),
);

async function tryAppend(word: string): Promise<void> {
  const padded = `${word} ${'x'.repeat(500)}`;
  try {
    await log.append([{ kind: 'note', body: Buffer.from(JSON.stringify({ word: padded })) }]);
    acknowledged.push(padded);
  } catch (error) {
    if (error instanceof LogFullError) refused.push(word);
    else otherErrors.push(String(error));
  }
}
