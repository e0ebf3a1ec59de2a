/** The metrics registry every process starts with: build information and runtime figures. */

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import manifest from '../package.json' with { type: 'json' };

export type ProcessName =
  | 'exchange'
  | 'follower'
  | 'feed'
  | 'maker'
  | 'watcher'
  | 'batcher'
  | 'checker'
  | 'attestor'
  | 'push';

/** A registry with `venue_build_info`, memory, processor time, garbage collection and event-loop delay. */
export function createRegistry(process: ProcessName): Registry {
  const registry = new Registry();
  new Gauge({
    name: 'venue_build_info',
    help: 'Always 1; its labels name the process, the release and the runtime',
    labelNames: ['process', 'version', 'node'],
    registers: [registry],
  }).set({ process, version: manifest.version, node: globalThis.process.version }, 1);
  collectDefaultMetrics({ register: registry });
  return registry;
}
