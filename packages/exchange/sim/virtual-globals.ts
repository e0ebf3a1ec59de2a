/**
 * Replaces the timers, monotonic clock, random numbers and batch ids that a node takes from Node.js with virtual time
 * and seeded randomness. Wall clocks are passed to the parts and need no replacement.
 */

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { World } from './world.ts';

/** A timer with the interface of Node's own. */
class VirtualTimer {
  readonly #world: World;
  readonly #act: () => void;
  readonly #ms: number;
  readonly #repeats: boolean;
  #handle: { isCancelled: boolean };

  constructor(world: World, act: () => void, { ms, repeats }: { ms: number; repeats: boolean }) {
    this.#world = world;
    this.#act = act;
    // Node raises anything less to 1.
    this.#ms = Math.max(1, ms || 1);
    this.#repeats = repeats;
    this.#handle = this.#start();
  }

  #start(): { isCancelled: boolean } {
    return this.#world.after(this.#ms, () => {
      if (this.#repeats) this.#handle = this.#start();
      this.#act();
    });
  }

  cancel(): void {
    this.#handle.isCancelled = true;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  refresh(): this {
    this.cancel();
    this.#handle = this.#start();
    return this;
  }
}

/**
 * Installs the replacements for one simulation; disposing the result restores the originals. One at a time per
 * process.
 */
export function installVirtualGlobals(world: World): Disposable {
  const start =
    (repeats: boolean) =>
    (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      new VirtualTimer(world, () => act(...args), { ms, repeats });
  const stop = (timer?: VirtualTimer) => timer?.cancel?.();
  const uuid = () => uuidOf(world);
  const restore = [
    replace(globalThis, { setTimeout: start(false), setInterval: start(true) }),
    replace(globalThis, { clearTimeout: stop, clearInterval: stop }),
    replace(performance, { now: () => world.nowMs }),
    replace(Math, { random: () => world.random.unit() }),
    replace(crypto, { randomUUID: uuid, randomUUIDv7: uuid }),
    replace(timersPromises, {
      setTimeout: (ms = 0, value?: unknown, options = {}) => sleep(world, ms, value, options),
    }),
  ];
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]() {
      for (const undo of restore) undo();
      syncBuiltinESMExports();
    },
  };
}

function replace(target: object, values: Record<string, unknown>): () => void {
  const before = Object.keys(values).map(
    (key) => [key, Object.getOwnPropertyDescriptor(target, key)] as const,
  );
  for (const [key, value] of Object.entries(values)) {
    Object.defineProperty(target, key, { value, configurable: true, writable: true, enumerable: true });
  }
  return () => {
    for (const [key, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(target, key);
      else Object.defineProperty(target, key, descriptor);
    }
  };
}

function sleep(
  world: World,
  ms: number,
  value: unknown,
  options: { signal?: AbortSignal },
): Promise<unknown> {
  const { signal } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const handle = world.after(Math.max(1, ms), () => resolve(value));
    signal?.addEventListener('abort', () => {
      handle.isCancelled = true;
      reject(signal.reason);
    });
  });
}

function uuidOf({ random }: World): string {
  const hex = Array.from({ length: 4 }, () => random.next().toString(16).padStart(8, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
