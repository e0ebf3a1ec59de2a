/** One exchange with clients at its door, while something befalls it. */

import { Crowd } from './crowd.ts';
import { Evidence } from './evidence.ts';
import { type Judged, judge } from './judge.ts';
import { NodeProcess } from './node-process.ts';

export interface LoadOptions {
  /** A new log, as `VENUE_LOG` names it. */
  readonly log: string;
  readonly traders: number;
}

export interface UnderLoad<T> extends Judged {
  /** What the act gave. */
  readonly given: T;
  /** What the verdict found, in sentences. */
  readonly faults: readonly string[];
}

/**
 * Starts an exchange, has clients trade, does the act, and then judges what is left. The act leaves the exchange running,
 * and may stop the crowd. Whatever comes of it, the exchange has ended in the end.
 */
export async function underLoad<T>(
  { log, traders }: LoadOptions,
  act: (load: Judged) => Promise<T>,
): Promise<UnderLoad<T>> {
  const node = await NodeProcess.at(log);
  let crowd: Crowd | undefined;
  try {
    await node.start();
    crowd = await Crowd.gather({ urls: [node.url], traders });
    const load = { node, crowd, evidence: new Evidence(log) };
    crowd.start();
    const given = await act(load);
    await crowd.stop();
    return { ...load, given, faults: await judge(load) };
  } finally {
    crowd?.abandon();
    node.end();
  }
}
