// A node on the PostgreSQL log of argv[2]. It prints `ready`, and then its status for each input line, before anything
// else can happen.
import { createInterface } from 'node:readline';
import { openPostgresLog } from '../src/postgres/log.ts';

const log = await openPostgresLog({ url: process.argv[2]!, onWarning: () => {} });
await log.append([{ kind: 'note', body: Buffer.from('{"word":"hello"}') }]);
const stopped = { atMs: performance.now() };
// If the last turn of the event loop was long ago, the process has been suspended.
setInterval(() => {
  const nowMs = performance.now();
  if (nowMs - stopped.atMs > 2_000) console.log(JSON.stringify(log.status()));
  stopped.atMs = nowMs;
}, 20);
console.log('ready');
createInterface({ input: process.stdin }).on('line', () => console.log(JSON.stringify(log.status())));
