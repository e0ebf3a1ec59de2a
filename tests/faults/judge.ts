/** Judges one exchange after its faults. */

import type { Crowd } from './crowd.ts';
import { type Evidence, NO_SNAPSHOT } from './evidence.ts';
import type { NodeProcess } from './node-process.ts';
import { wrongShown } from './shown.ts';

/** On a machine with a lot else to do, a stop may run out of time for its snapshot. */
const STOPS_MAX = 5;

export interface Judged {
  /** Running. */
  readonly node: NodeProcess;
  /** Finished trading. */
  readonly crowd: Crowd;
  readonly evidence: Evidence;
}

/** Stops it cleanly, compares the log with the clients' answers, and restarts it from the snapshot of the stop. */
export async function judge({ node, crowd, evidence }: Judged): Promise<string[]> {
  await evidence.catchUp();
  const faults = await stopAndCheck(node, evidence);
  await evidence.catchUp();
  faults.push(...evidence.faults(crowd.writes), ...crowd.faults);
  await node.start();
  faults.push(...(await wrongShown({ url: node.url, traders: crowd.traders, evidence })));
  await node.stop();
  return faults;
}

/** Stops a node, and returns the faults of its snapshot. A stop with too little time leaves none, which may not go on. */
export async function stopAndCheck(node: NodeProcess, evidence: Evidence): Promise<string[]> {
  for (let stops = 1; ; stops += 1) {
    await node.stop();
    const faults = await evidence.checkSnapshot();
    if (!faults.includes(NO_SNAPSHOT) || stops === STOPS_MAX) return faults;
    await node.start();
  }
}
