/**
 * A daemon in its own process, which kills itself, as `kill -9` would, right after a step of its work:
 * `<watcher|batcher|attestor> <step> <which time>`. Its configuration is in the environment.
 */

import { runAttestor } from '../src/attestor/run.ts';
import { runBatcher } from '../src/batcher/run.ts';
import { loadAttestorConfig, loadBatcherConfig, loadWatcherConfig } from '../src/daemon/config.ts';
import { runWatcher } from '../src/watcher/run.ts';

const [daemon, deadlyStep, which] = process.argv.slice(2);
const { signal } = new AbortController();
let times = 0;

const hooks = { signal, log: console.log, onStep };
if (daemon === 'watcher') await runWatcher({ config: loadWatcherConfig(process.env), ...hooks });
else if (daemon === 'attestor') await runAttestor({ config: loadAttestorConfig(process.env), ...hooks });
else await runBatcher({ config: loadBatcherConfig(process.env), ...hooks });

function onStep(step: string): void {
  if (step === deadlyStep) times += 1;
  if (times === Number(which)) process.kill(process.pid, 'SIGKILL');
}
