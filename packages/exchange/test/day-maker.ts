/**
 * A process that loses its daily files and makes them again without end, to be killed at any moment. Arguments: the file of a
 * history, the folder of the days. It says `begun` when it begins.
 */

import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { doRound } from '../src/files/round.ts';

const [history, folder] = process.argv.slice(2) as [string, string];
process.stdout.write('begun\n');
for (let lost = 0; ; lost++) {
  for (const _news of doRound({ history, folder, anchor: '1 x\n', foreignAnchors: [], known: [] }));
  const days = readdirSync(folder);
  // Under the name of what a crash left, so that a day is there or not, whenever this is killed.
  renameSync(join(folder, days[lost % days.length]!), join(folder, '.replaced-by-nothing'));
}
