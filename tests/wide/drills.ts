/** Shared parts of the drills: when they can run, and what they ask of a machine. */

import assert from 'node:assert/strict';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { isInstalled, skipBecause } from '../faults/machine.ts';
import { blocksUnder, type Machine } from './drills-machine.ts';

const MISSING = ['sqlite3', 'jq', 'curl', 'openssl'].find((program) => !isInstalled(program));
export const SKIP = skipBecause(MISSING && `needs the Debian package ${MISSING}`);

const BACKUP = blocksUnder('how-to/back-up.md', 'Back up SQLite')[0]!;

/** Makes a backup, and returns its name without the extension. */
export async function backUp(machine: Machine): Promise<string> {
  const said = (await machine.run(`${BACKUP}\necho "$name"`)).trim().split('\n');
  assert.match(said.at(-2)!, /^\d+:[0-9a-f]{64}$/);
  return said.at(-1)!;
}

export async function newTrader(url: string): Promise<VenueClient> {
  const venue = new VenueClient({ url });
  await venue.auth.signIn(walletFromPrivateKey(randomPrivateKey()));
  return venue;
}

export async function isWell({ url }: Machine): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

export async function accountCount(machine: Machine): Promise<number> {
  const metrics = await (await fetch(`${machine.url}/metrics`)).text();
  return Number(/^venue_accounts (\d+)$/m.exec(metrics)![1]);
}
