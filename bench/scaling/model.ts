/**
 * A queueing model of nodes, their log and their load, built from threads measured one by one. It states only what
 * follows from those measurements.
 */

import { Random } from '../../packages/engine/sim/random.ts';

/** Time on a thread, in µs, with the benchmark that measured it. */
export interface Costs {
  /** Main thread: receiving, checking and answering a signed write, without verifying or applying it. */
  readonly writeMicros: number;
  /** Verifier thread: one signature. */
  readonly verifyMicros: number;
  /** Main thread: applying an entry of this node, or one that another node appended, which must be read and decoded. */
  readonly applyOwnMicros: number;
  readonly applyOthersMicros: number;
  /** Main thread: an answer to a read. */
  readonly readMicros: number;
  /** Main thread: one frame to one client of the stream. */
  readonly frameMicros: number;
  /** The log: one flush, and the extra cost of each entry in it. */
  readonly flushMicros: number;
  readonly flushEntryMicros: number;
}

export interface Load {
  /** Rates per second, over all nodes. */
  readonly writes: number;
  readonly reads: number;
  readonly frames: number;
}

export interface Cluster {
  readonly nodes: number;
  /** Verifier threads per node. */
  readonly verifiers: number;
}

export interface Outcome {
  /** Ms from a write's arrival to its answer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Busy share of each thread: above 1 the load cannot be sustained. */
  readonly mainBusy: number;
  readonly verifierBusy: number;
  readonly logBusy: number;
}

const SECONDS = 2;
const WARM_UP_SECONDS = 0.4;
const TICK_MICROS = 250_000;
const SEED = 1;

/** A thread that works sequentially: new work queues behind earlier work. */
class Thread {
  #freeAt = 0;
  busyMicros = 0;

  /** Queues work that arrives at a time and returns when it is done. */
  book(at: number, micros: number): number {
    this.#freeAt = Math.max(this.#freeAt, at) + micros;
    this.busyMicros += micros;
    return this.#freeAt;
  }

  get freeAt(): number {
    return this.#freeAt;
  }
}

interface Write {
  readonly arrivedAt: number;
  /** When its signature is verified, so that it can be appended. */
  readonly readyAt: number;
}

interface SimulatedNode {
  readonly main: Thread;
  readonly verifiers: readonly Thread[];
  /** In the order they become ready. */
  readonly writes: Write[];
  next: number;
}

/** Utilisation of each part without queueing: total work over total time. */
export function utilisation(
  costs: Costs,
  load: Load,
  { nodes, verifiers }: Cluster,
): Omit<Outcome, 'p50Ms' | 'p99Ms'> {
  const own = load.writes / nodes;
  const main =
    own * (costs.writeMicros + costs.applyOwnMicros) +
    (load.writes - own) * costs.applyOthersMicros +
    (load.reads / nodes) * costs.readMicros +
    (load.frames / nodes) * costs.frameMicros;
  const entriesAFlush = Math.max(1, (load.writes * costs.flushMicros) / 1e6);
  return {
    mainBusy: main / 1e6,
    verifierBusy: (own * costs.verifyMicros) / verifiers / 1e6,
    logBusy: (load.writes * (costs.flushEntryMicros + costs.flushMicros / entriesAFlush)) / 1e6,
  };
}

/** Simulates some seconds of load on the cluster. Arrivals are random and independent of answers. */
export function simulate(costs: Costs, load: Load, cluster: Cluster): Outcome {
  const busy = utilisation(costs, load, cluster);
  if (busy.mainBusy >= 1 || busy.verifierBusy >= 1 || load.writes * costs.flushEntryMicros >= 1e6)
    return { ...busy, p50Ms: Number.POSITIVE_INFINITY, p99Ms: Number.POSITIVE_INFINITY };
  const random = new Random(SEED);
  const slowed = slowing(costs, load, cluster);
  const nodes = Array.from({ length: cluster.nodes }, () =>
    arrivals({ ...costs, writeMicros: costs.writeMicros * slowed.receiving }, load, cluster, random),
  );
  const { applyOwnMicros, applyOthersMicros } = costs;
  const applying = {
    applyOwnMicros: applyOwnMicros * slowed.applying,
    applyOthersMicros: applyOthersMicros * slowed.applying,
  };
  const times = carry({ ...costs, ...applying }, nodes).sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN) / 1_000;
  return { ...busy, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Receiving and applying share one thread with reads and frames, and are slowed by the share these take. */
function slowing(costs: Costs, load: Load, cluster: Cluster): { receiving: number; applying: number } {
  const { mainBusy } = utilisation(costs, load, cluster);
  const own = load.writes / cluster.nodes;
  const receiving = (own * costs.writeMicros) / 1e6;
  const applying = (own * costs.applyOwnMicros + (load.writes - own) * costs.applyOthersMicros) / 1e6;
  return { receiving: 1 / (1 - (mainBusy - receiving)), applying: 1 / (1 - (mainBusy - applying)) };
}

/** Simulates a node receiving and verifying its writes. */
function arrivals(costs: Costs, load: Load, { nodes, verifiers }: Cluster, random: Random): SimulatedNode {
  const node: SimulatedNode = {
    main: new Thread(),
    verifiers: Array.from({ length: verifiers }, () => new Thread()),
    writes: [],
    next: 0,
  };
  const receiver = new Thread();
  const perSecond = load.writes / nodes;
  for (let at = 0; at < SECONDS * 1e6; at += gap(random, perSecond)) {
    const received = receiver.book(at, costs.writeMicros);
    const verifier = node.verifiers.reduce((best, one) => (one.freeAt < best.freeAt ? one : best));
    node.writes.push({ arrivedAt: at, readyAt: verifier.book(received, costs.verifyMicros) });
  }
  node.writes.sort((a, b) => a.readyAt - b.readyAt);
  return node;
}

function gap(random: Random, perSecond: number): number {
  return (-Math.log(1 - random.unit()) / perSecond) * 1e6;
}

/** Flushes batch after batch in the order in which nodes get the log, and applies each on every node. */
function carry(costs: Costs, nodes: readonly SimulatedNode[]): number[] {
  const log = new Thread();
  const times: number[] = [];
  for (;;) {
    const waiting = nodes.filter(({ writes, next }) => next < writes.length);
    if (waiting.length === 0) return times;
    // The longest-waiting node goes next, with everything ready when the log is free.
    const first = waiting.reduce((best, one) => (readyAt(one) < readyAt(best) ? one : best));
    const startsAt = Math.max(log.freeAt, readyAt(first));
    const batch = takeReady(first, startsAt);
    const durableAt = log.book(startsAt, costs.flushMicros + batch.length * costs.flushEntryMicros);
    for (const node of nodes) {
      const micros = node === first ? costs.applyOwnMicros : costs.applyOthersMicros;
      const doneAt = node.main.book(durableAt, batch.length * micros);
      if (node !== first) continue;
      for (const { arrivedAt } of batch)
        if (arrivedAt > WARM_UP_SECONDS * 1e6) times.push(doneAt - arrivedAt);
    }
  }
}

function readyAt({ writes, next }: SimulatedNode): number {
  return writes[next]!.readyAt;
}

function takeReady(node: SimulatedNode, at: number): Write[] {
  const from = node.next;
  while (node.next < node.writes.length && readyAt(node) <= at) node.next += 1;
  return node.writes.slice(from, node.next);
}

/** The fewest nodes that sustain a load with a p99 below a limit, or null if no number does. */
export function fewestNodes(
  costs: Costs,
  load: Load,
  { verifiers, p99MsMax, nodesMax }: { verifiers: number; p99MsMax: number; nodesMax: number },
): { nodes: number; outcome: Outcome } | null {
  for (let nodes = 1; nodes <= nodesMax; nodes++) {
    const outcome = simulate(costs, load, { nodes, verifiers });
    if (outcome.p99Ms <= p99MsMax) return { nodes, outcome };
  }
  return null;
}

/** Frames are sent together on each tick: the wait of a tick's last client. */
export function lastFrameMs(costs: Costs, load: Load, { nodes }: Cluster): number {
  return ((load.frames / nodes) * (TICK_MICROS / 1e6) * costs.frameMicros) / 1_000;
}
