/** The verdict on one exchange, once what befell it is over. */

import { wrongAccounts } from './accounts.ts';
import type { Crowd } from './crowd.ts';
import type { Evidence } from './evidence.ts';
import type { NodeProcess } from './node-process.ts';

export interface Judged {
  /** Running. */
  readonly node: NodeProcess;
  /** Done with trading. */
  readonly crowd: Crowd;
  readonly evidence: Evidence;
}

/** Stops cleanly, holds the log against what clients were told, and starts once more from the snapshot of the stop. */
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
