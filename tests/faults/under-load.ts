/** One exchange with clients, under a fault. */

import { Crowd } from './crowd.ts';
import { Evidence } from './evidence.ts';
import { type Judged, judge } from './judge.ts';
import { NodeProcess } from './node-process.ts';

export interface LoadOptions {
  /** A new log, named like `VENUE_LOG`. */
  readonly log: string;
  readonly traders: number;
}

export interface UnderLoad<T> extends Judged {
  /** The result of the act. */
  readonly given: T;
  /** Faults found by the judge, in sentences. */
  readonly faults: readonly string[];
}

/**
 * Starts an exchange, has clients trade, runs the act, and then judges the result. The act leaves the exchange running,
 * and may stop the crowd. The exchange is always ended.
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
