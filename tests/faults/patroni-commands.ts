/** The commands of docs/how-to/fail-over.md for an operator at one of the machines, typed as the page has them. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PatroniVenue } from './patroni-faults.ts';
import { EDITED_LAG, type PatroniMachine } from './patroni-machine.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/how-to/fail-over.md', import.meta.url)), 'utf8');
const ALIAS = /`(alias patronictl='[^']+')`/.exec(PAGE)?.[1] ?? '';

interface Typed {
  /** Answers to the command's questions, in turn. */
  readonly answers?: readonly string[];
  /** The machine of the page that the command names, as one of this cluster. */
  readonly named?: (venue: PatroniVenue) => Promise<PatroniMachine>;
  readonly says: readonly string[];
}

/** The run of each command of the page; a command without a row here fails the test. */
const COMMANDS: Readonly<Record<string, Typed>> = {
  list: { says: ['Leader', 'Sync Standby', 'Replica'] },
  switchover: { answers: ['', '', 'now', 'y'], says: ['Successfully switched over to'] },
  'failover --candidate n3 --force': { named: successor, says: ['Successfully failed over to'] },
  'reinit venue n2': { answers: ['y'], named: standby, says: ['Success: reinitialize for member'] },
  'edit-config': { answers: ['y'], says: ['Configuration changed'] },
};

/** Types each command while clients trade, and waits until the cluster is whole after it. */
export async function typeCommands(venue: PatroniVenue): Promise<void> {
  const typed = [...new Set(Array.from(PAGE.matchAll(/`patronictl ([^`]+)`/g), ([, words]) => words!))];
  assert.deepEqual(typed.sort(), Object.keys(COMMANDS).sort());
  for (const words of typed) {
    const { answers, named, says } = COMMANDS[words]!;
    const primary = await venue.patroni.whole();
    const machine = await named?.(venue);
    const command = machine === undefined ? words : words.replace(/\bn\d\b/, machine.name);
    const output = await primary.type([ALIAS, `patronictl ${command}`], answers);
    for (const text of says) assert.ok(output.includes(text), `${command}: ${output}`);
    await venue.crowd.untilServed(1);
    const after = await venue.patroni.whole();
    if (/^(switch|fail)over/.test(words)) assert.notEqual(after.name, primary.name, words);
  }
  const config = await (await venue.patroni.whole()).type([ALIAS, 'patronictl show-config']);
  assert.match(config, new RegExp(`^maximum_lag_on_failover: ${EDITED_LAG}$`, 'm'));
}

async function successor({ patroni }: PatroniVenue): Promise<PatroniMachine> {
  const [name] = await (await patroni.whole()).successors();
  return patroni.machines.find((machine) => machine.name === name)!;
}

async function standby({ patroni }: PatroniVenue): Promise<PatroniMachine> {
  return patroni.others(await patroni.whole())[0]!;
}
