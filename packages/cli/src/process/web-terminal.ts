/**
 * Chooses the pages that an exchange serves as the trading terminal: those that its environment names, or else the
 * project's own.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@venue/config';
import { buildTerminal, TERMINAL_FOLDER } from '@venue/web/build';

/** The environment with the project's own pages, if they have been built. */
export function withMadeTerminal(env: Environment): Environment {
  return existsSync(join(TERMINAL_FOLDER, 'index.html')) ? withTerminal(env, TERMINAL_FOLDER) : env;
}

/**
 * The environment with the project's own pages, built now if they are missing or their sources have changed. A market
 * without pages is better than none, so a failure is only reported to `say`.
 */
export async function withFreshTerminal(env: Environment, say: (line: string) => void): Promise<Environment> {
  if (env.VENUE_TERMINAL) return env;
  try {
    const { folder } = await buildTerminal();
    return withTerminal(env, folder);
  } catch (error) {
    say(`the terminal could not be made (${(error as Error).message}); going on without it`);
    return env;
  }
}

function withTerminal(env: Environment, folder: string): Environment {
  return env.VENUE_TERMINAL ? env : { ...env, VENUE_TERMINAL: folder };
}
