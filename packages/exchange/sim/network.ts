/** Between clients and nodes: requests and replies get lost, come late, come twice, and overtake each other. */

import type { Machine } from './machine.ts';
import type { Call, Reply } from './node.ts';
import type { Owner, World } from './world.ts';

/** A request and all that became of it. */
export interface Sent {
  readonly id: number;
  readonly kind: string;
  readonly call: Call;
  /** What its entries in the log are found by; null for a read and for what has none of its own. */
  readonly key: string | null;
  readonly received: Received[];
  /** How often it reached a node. */
  deliveries: number;
}

export interface Received extends Reply {
  readonly atMs: number;
  /** What the node had applied when the request arrived. */
  readonly arrivalSeq: number;
}

const SILENCE_MS = 3_500;
const TRIES_MAX = 3;

/** Clients are never in trouble themselves. */
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

  /** Sends a request to some node; a write that is signed is sent again, byte for byte, when nobody answers. */
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
          // A client knows its answer from the copy of it.
          if (copy === 0) sent.received.push(received);
          onReply?.(received);
        },
        CLIENTS,
      );
    }
  }
}
