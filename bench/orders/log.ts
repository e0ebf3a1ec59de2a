/** Reads the log of the orders and replays it. */

import assert from 'node:assert/strict';
import {
  apply,
  type BatchDone,
  type Command,
  createState,
  decodeCommand,
  NO_EFFECTS,
  type OutcomeOf,
} from '@venue/engine';
import { openLogReader } from '@venue/log';
import { keyOf } from './drive.ts';
import type { Heard } from './load.ts';

/**
 * Checks that every acknowledged order is in the log exactly once, under its acknowledged number, and no other order
 * is. Returns the count; throws otherwise.
 */
export async function checkLog(logPath: string, { keys, orderIds }: Heard): Promise<number> {
  const awaited = new Map(keys.map((key, i) => [key, orderIds[i]]));
  assert.equal(awaited.size, keys.length);
  const reader = await openLogReader(`sqlite:${logPath}`);
  try {
    const state = createState();
    const { seq: lastSeq } = await reader.head();
    while (state.seq < lastSeq) {
      for (const { seq, ts, kind, body } of await reader.readEntries(state.seq + 1, lastSeq)) {
        const command = decodeCommand(kind, body);
        const outcome = apply(state, { seq, ts, command }, NO_EFFECTS);
        for (const [key, orderId] of ordersOf(command, outcome)) {
          assert.equal(orderId, awaited.get(key), `entry ${seq}: the order ${key}`);
          awaited.delete(key);
        }
      }
    }
  } finally {
    await reader.close();
  }
  assert.deepEqual([...awaited], [], 'acknowledged and not in the log');
  return keys.length;
}

/** The orders of an entry: their keys, and their numbers where they were accepted. */
function ordersOf(
  command: Command,
  outcome: OutcomeOf<Command['kind']>,
): (readonly [string, number | null])[] {
  if (command.kind === 'order') {
    return [[keyOf(command.authorization!, 0), 'orderId' in outcome ? outcome.orderId : null]];
  }
  if (command.kind !== 'batch') return [];
  const { results } = outcome as BatchDone;
  return command.actions.flatMap(({ type }, i) => {
    if (type !== 'place') return [];
    return [
      [keyOf(command.authorization!, i), (results[i] as { orderId?: number }).orderId ?? null] as const,
    ];
  });
}
