/** A checker that proves a log and kills itself, as `kill -9` would, right after a step of its write: `<path> <step>`. */

import { start } from './proven-world.ts';

const [path, deadlyStep] = process.argv.slice(2);

await start(
  { spec: `sqlite:${path}`, path: path! },
  {
    onStep: (step) => {
      if (step === deadlyStep) process.kill(process.pid, 'SIGKILL');
    },
  },
);
