/** The page of what a stranger can make the venue remember has every list that a snapshot can hold. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { scenario } from '../test/scenario.ts';
import { stateLines } from './snapshot.ts';

const PAGE = new URL('../../../docs/reference/remembered.md', import.meta.url);
const LOGS = new URL('../test/logs/', import.meta.url);
/** The kinds of lines that follow the venue's own, each with the number of them that the venue's line names. */
const KINDS = ['audit', 'instruments', 'series', 'accounts', 'deposits', 'payouts'] as const;

type Json = Readonly<Record<string, unknown>>;

/** The lists in the lines of a snapshot, by their place. */
function listsOf(lines: readonly string[]): Set<string> {
  const rows = lines.map((line) => JSON.parse(line) as Json);
  const at = rows.findIndex((row) => 'lastOrderId' in row);
  const venue = rows[at]!;
  const found = new Set<string>(KINDS);
  addLists(found, 'venue', venue);
  let next = at + 1;
  for (const kind of KINDS) {
    const count = kind === 'audit' ? (venue.audit as { entries: number }).entries : (venue[kind] as number);
    for (const row of rows.slice(next, next + count)) addLists(found, kind, row);
    next += count;
  }
  return found;
}

function addLists(found: Set<string>, place: string, row: Json): void {
  for (const [name, value] of Object.entries(row)) {
    const own = `${place}.${name}`;
    if (Array.isArray(value)) found.add(own);
    for (const inner of Array.isArray(value) ? value : [value])
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) addLists(found, own, inner);
  }
}

function recorded(): readonly string[][] {
  const names = readdirSync(LOGS).filter((name) => name.endsWith('.snapshot.txt.gz'));
  return names.map((name) =>
    gunzipSync(readFileSync(new URL(name, LOGS)))
      .toString()
      .trim()
      .split('\n'),
  );
}

/** A snapshot with lists that no recorded one happens to hold. */
function quartered(): readonly string[] {
  const venue = scenario('quote AAPL-C-190 bid - iv 0.3   kept');
  const account = venue.account('alice');
  account.quarters = { tick: 1, sizes: new Map([[venue.series('AAPL-C-190').sid, 1 as never]]) };
  return [...stateLines(venue.state)];
}

test('QTS-2 BAT-7: the page of what strangers can make the venue remember has every list of a snapshot', () => {
  const page = readFileSync(PAGE, 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = new Set(
    rows.flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)),
  );
  const found = new Set([...recorded(), quartered()].flatMap((lines) => [...listsOf(lines)]));
  assert.ok(found.size > 25, `${found.size} lists`);
  assert.deepEqual([...found].filter((name) => !named.has(name)).sort(), [], 'lists without a row');
  // Lists that exist only for moments in the life of a venue.
  const rare = ['venue.settling'];
  assert.deepEqual([...named].filter((name) => !found.has(name)).sort(), rare, 'rows without a list');
});
