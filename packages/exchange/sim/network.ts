/** Loses, delays, duplicates and reorders the messages between clients and nodes. */

import type { Machine } from './machine.ts';
import type { Call, Reply } from './node.ts';
import type { Owner, World } from './world.ts';

/** A request and everything that happened to it. */
export interface Sent {
  readonly id: number;
  readonly kind: string;
  readonly call: Call;
  /** Finds its entries in the log; null for reads and for requests without entries of their own. */
  readonly key: string | null;
  readonly received: Received[];
  /** Number of times it reached a node. */
  deliveries: number;
}

export interface Received extends Reply {
  readonly atMs: number;
  /** Last entry the node had applied when the request arrived. */
  readonly arrivalSeq: number;
}

const SILENCE_MS = 3_500;
const TRIES_MAX = 3;

/** Clients themselves never fail. */
export const CLIENTS: Owner = { name: 'clients', isAlive: true, pausedUntilMs: 0 };

export class Network {
  readonly sent: Sent[] = [];
  readonly #world: World;
  readonly #machines: readonly Machine[];
  #furthestId = 0;

  constructor(world: World, machines: readonly Machine[]) {
    this.#world = world;
    this.#machines = machines;
  }

  /** Sends a request to some node. If nobody answers a signed write, it is sent again byte for byte. */
  send(request: Pick<Sent, 'kind' | 'call' | 'key'>, onReply?: (reply: Reply) => void): void {
    const sent = { ...request, id: this.sent.length + 1, received: [], deliveries: 0 };
    this.sent.push(sent);
    this.#try(sent, 1, onReply);
  }

  #try(sent: Sent, attempt: number, onReply: ((reply: Reply) => void) | undefined): void {
    const { random, counts } = this.#world;
    const machine = random.pick(this.#machines);
    this.#travel(sent, machine, onReply);
    if (random.chance(0.04)) {
      const other = random.pick(this.#machines);
      counts.add(other === machine ? 'request duplicated' : 'request duplicated to another node');
      this.#travel(sent, other, onReply);
    }
    const isRepeatable = sent.key !== null && !sent.key.startsWith('prints');
    if (!isRepeatable || attempt === TRIES_MAX) return;
    this.#world.after(
      SILENCE_MS,
      () => {
        if (sent.received.some(({ status }) => status !== 500)) return;
        counts.add('request sent again after silence');
        this.#try(sent, attempt + 1, onReply);
      },
      CLIENTS,
    );
  }

  #travel(sent: Sent, machine: Machine, onReply: ((reply: Reply) => void) | undefined): void {
    const { random, counts } = this.#world;
    if (random.chance(0.02)) {
      counts.add('request lost');
      return;
    }
    const isDelayed = random.chance(0.03);
    if (isDelayed) counts.add('request delayed');
    const delayMs = isDelayed ? random.between(200, 5_000) : 1 + 8 * random.unit();
    this.#world.after(delayMs, () => this.#arrive(sent, machine, onReply), CLIENTS);
  }

  #arrive(sent: Sent, machine: Machine, onReply: ((reply: Reply) => void) | undefined): void {
    const { counts } = this.#world;
    const { node, process } = machine;
    if (node === null) {
      counts.add('node found dead');
      return;
    }
    if (sent.id < this.#furthestId) counts.add('request overtaken');
    this.#furthestId = Math.max(this.#furthestId, sent.id);
    sent.deliveries += 1;
    this.#world.after(
      0,
      () => {
        const arrivalSeq = node.state.seq;
        const isCurrent = node.isCurrent();
        node.serve(sent.call).then(
          (reply) => {
            if (!isCurrent && reply.status === 500) counts.add('node answered nobody while out of touch');
            this.#reply(sent, { ...reply, arrivalSeq, atMs: this.#world.nowMs }, onReply);
          },
          (error) => this.#world.fail(`request ${sent.id} ended with ${(error as Error).stack}`),
        );
      },
      process,
    );
  }

  #reply(sent: Sent, received: Received, onReply: ((reply: Reply) => void) | undefined): void {
    const { random, counts } = this.#world;
    if (random.chance(0.02)) {
      counts.add('reply lost');
      return;
    }
    const isTwice = random.chance(0.02);
    if (isTwice) counts.add('reply duplicated');
    const isDelayed = random.chance(0.02);
    if (isDelayed) counts.add('reply delayed');
    for (let copy = 0; copy < (isTwice ? 2 : 1); copy++) {
      const delayMs = isDelayed ? random.between(200, 6_000) : 1 + 8 * random.unit();
      this.#world.after(
        delayMs,
        () => {
          // A client recognizes a duplicate of an answer it already has.
          if (copy === 0) sent.received.push(received);
          onReply?.(received);
        },
        CLIENTS,
      );
    }
  }
}
