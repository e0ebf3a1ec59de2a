/** The process that sends the orders: the benchmark controls it by messages, one at a time. */

import { Answers, Lanes, type Run } from './drive.ts';
import { type Session, Traders, type Write } from './traders.ts';

export type TargetName = 'exchange' | 'bare';

/** Operations of the load process, with their arguments and answers. */
export interface LoadOperations {
  /** Opens traders on the exchange. */
  open: {
    args: [{ url: string; traders: number; seriesIds: readonly string[] }];
    answer: readonly Session[];
  };
  connect: { args: [{ target: TargetName; url: string; connections: number }]; answer: undefined };
  /** Signs the writes of the following runs; returns how long it took, in milliseconds. */
  sign: { args: [writes: number]; answer: number };
  /** The same for batches of `each` actions. */
  signBatches: { args: [writes: number, of: { each: number; venue: string }]; answer: number };
  saturate: { args: [target: TargetName, forMs: number]; answer: LoadRun };
  pace: { args: [target: TargetName, writesPerSecond: number]; answer: LoadRun };
  /** A server's answers over all runs. */
  heard: { args: [target: TargetName]; answer: Heard };
}

export interface LoadRun extends Run {
  /** Processor time of this process. */
  readonly cpuMs: number;
}

export interface Heard {
  readonly counts: Answers['counts'];
  readonly keys: readonly string[];
  readonly orderIds: readonly number[];
}

export type LoadOperation = keyof LoadOperations;

export type LoadRequest = {
  [Op in LoadOperation]: { readonly op: Op; readonly args: LoadOperations[Op]['args'] };
}[LoadOperation];

const targets = new Map<TargetName, { readonly lanes: Lanes; readonly answers: Answers }>();
let traders: Traders | null = null;
let writes: readonly Write[] = [];

process.on('message', async (request: LoadRequest) => {
  process.send!(await answerTo(request));
});
process.on('disconnect', () => process.exit());

function answerTo(request: LoadRequest): unknown {
  switch (request.op) {
    case 'open':
      return open(...request.args);
    case 'connect':
      return connect(...request.args);
    case 'sign': {
      const [count] = request.args;
      return sign(() => traders!.sign(count));
    }
    case 'signBatches': {
      const [count, of] = request.args;
      return sign(() => traders!.signBatches(count, of));
    }
    case 'saturate': {
      const [target, forMs] = request.args;
      return timed(() => targets.get(target)!.lanes.saturate(writes, forMs));
    }
    case 'pace': {
      const [target, writesPerSecond] = request.args;
      return timed(() => targets.get(target)!.lanes.pace(writes, writesPerSecond));
    }
    case 'heard': {
      const { counts, keys, orderIds } = targets.get(request.args[0])!.answers;
      return { counts, keys, orderIds } satisfies Heard;
    }
    default:
      return request satisfies never;
  }
}

async function open(options: LoadOperations['open']['args'][0]): Promise<readonly Session[]> {
  const { url, traders: count, seriesIds } = options;
  traders = await Traders.open(url, { count, seriesIds });
  return traders.sessions;
}

async function connect({ target, url, connections }: LoadOperations['connect']['args'][0]): Promise<null> {
  targets.get(target)?.lanes.close();
  const answers = new Answers();
  const lanes = await Lanes.open(url, { count: connections, check: answers.check });
  targets.set(target, { lanes, answers });
  return null;
}

function sign(make: () => readonly Write[]): number {
  const startedMs = performance.now();
  writes = make();
  return performance.now() - startedMs;
}

async function timed(act: () => Promise<Run>): Promise<LoadRun> {
  const before = process.cpuUsage();
  const run = await act();
  const { user, system } = process.cpuUsage(before);
  return { ...run, cpuMs: (user + system) / 1_000 };
}
