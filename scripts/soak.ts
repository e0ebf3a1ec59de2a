/**
 * Runs a market of exchange, feed, maker and 50 trading bots as separate processes for 10 minutes, prints the results,
 * and exits with 1 if anything was wrong.
 *
 *   node_modules/.bin/node scripts/soak.ts [minutes] [bots] [bots a process]
 */

import { faultsOf, reportLines } from '../tests/soak/report.ts';
import { runSoak } from '../tests/soak/soak.ts';

const [minutes = 10, bots = 50, botsPerProcess = 1] = process.argv.slice(2).map(Number);
if (!(minutes > 0 && bots > 0 && botsPerProcess > 0)) {
  console.error('soak: minutes, bots and bots a process are numbers above 0');
  process.exit(1);
}
const result = await runSoak({
  durationMs: minutes * 60_000,
  bots,
  botsPerProcess,
  cutEveryMs: 3_600,
  symbols: 'BTC:crypto,ETH:crypto,AAPL:equity,SPX:index',
  say: (line) => console.log(line),
});
for (const line of reportLines(result)) console.log(line);
const faults = faultsOf(result);
for (const fault of faults.slice(0, 50)) console.error(`fault: ${fault}`);
console.log(faults.length === 0 ? 'soak passed' : `soak failed: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
