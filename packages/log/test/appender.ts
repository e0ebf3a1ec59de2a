// Appends to the log in argv[2] until it dies, printing every acknowledged seq. If the log fails, it prints the
// failure, the result of the pending append, and that of a later one.
import { openSqliteLog } from '../src/index.ts';

const log = await openSqliteLog({ path: process.argv[2]! });
const IN_FLIGHT = 32;
const body = Buffer.from(JSON.stringify({ filler: 'x'.repeat(200) }));

log.failed.then(async (error) => {
  const later = await log.append([{ kind: 'note', body }]).catch((e: Error) => e.message);
  await log.close();
  console.log(`failed: ${error.message}`);
  console.log(`later: ${later}`);
});

for (let i = 0; i < IN_FLIGHT; i++) appendForEver();

async function appendForEver(): Promise<void> {
  try {
    for (;;) {
      const { firstSeq } = await log.append([
        { kind: 'note', body },
        { kind: 'note', body },
      ]);
      process.stdout.write(`${firstSeq + 1}\n`);
    }
  } catch (error) {
    console.log(`rejected: ${(error as Error).message}`);
  }
}
