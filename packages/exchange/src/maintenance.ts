/** The maintenance timer: proposes a tick, with the expiry instants of the moment, again and again (MAINT-1). */

import { isRefused } from '@venue/engine';
import { expiryInstants } from './expiries.ts';
import type { Sequencer } from './sequencer.ts';

export interface MaintenanceOptions {
  readonly sequencer: Pick<Sequencer, 'submit'>;
  readonly intervalMs: number;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Proposes the first tick at once; a tick begins an interval after the one before was applied. */
export function startMaintenance(options: MaintenanceOptions): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const tick = async () => {
    await proposeTick(options).catch(options.onError);
    if (!stopped) timer = setTimeout(run, options.intervalMs);
  };
  let current: Promise<void>;
  const run = () => {
    current = tick();
  };
  run();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

/** A tick whose sweep is not through is followed by another at once; what else waits in the log goes between them. */
async function proposeTick({ sequencer, now }: MaintenanceOptions): Promise<void> {
  const command = { kind: 'maintain', expiries: expiryInstants(now()) } as const;
  let unfinished = true;
  while (unfinished) {
    unfinished = await sequencer.submit(command, (outcome) => !isRefused(outcome) && outcome.unfinished);
  }
}
