/** Judges one exchange after its faults. */

import { wrongAccounts } from './accounts.ts';
import type { Crowd } from './crowd.ts';
import type { Evidence } from './evidence.ts';
import type { NodeProcess } from './node-process.ts';

export interface Judged {
  /** Running. */
  readonly node: NodeProcess;
  /** Finished trading. */
  readonly crowd: Crowd;
  readonly evidence: Evidence;
}

/** Stops it cleanly, compares the log with the clients' answers, and restarts it from the snapshot of the stop. */
export async function judge({ node, crowd, evidence }: Judged): Promise<string[]> {
  await node.stop();
  const faults = await evidence.checkSnapshot();
  faults.push(...evidence.faults(crowd.writes), ...crowd.faults);
  await node.start();
  await evidence.catchUp();
  faults.push(...(await wrongAccounts({ url: node.url, traders: crowd.traders, state: evidence.state })));
  await node.stop();
  return faults;
}
