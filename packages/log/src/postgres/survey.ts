/**
 * Finds the primary among the servers of a log. All of them are asked, because a replaced primary may not know that it
 * was replaced.
 */

import { ANSWER_MS, type Connect, type Connection } from './connection.ts';
import { readTimeline, type Timeline } from './timeline.ts';
import type { PostgresTarget } from './url.ts';

/** The time limit for all servers together, so that one that hangs does not delay the others for long. */
const SURVEY_MS = 2_000;

/** A server that answered. */
export interface Surveyed {
  readonly target: PostgresTarget;
  readonly connection: Connection;
  /** Why it does not accept writes; undefined if it does. */
  readonly refusal: string | undefined;
  readonly own: Timeline;
  readonly known: Timeline;
}

export interface Survey {
  /** The servers that accept writes on the newest timeline. The caller must close their connections. */
  readonly primaries: readonly Surveyed[];
  /** Why each of the other servers cannot be used. */
  readonly rejected: readonly { readonly target: PostgresTarget; readonly cause: unknown }[];
}

/** `remembered` is the newest timeline that this node has used. */
export async function surveyServers(
  targets: readonly PostgresTarget[],
  { connect, remembered }: { readonly connect: Connect; readonly remembered: Timeline | undefined },
): Promise<Survey> {
  const settled = await Promise.allSettled(targets.map((target) => inTime(connect, target)));
  const rejected: { target: PostgresTarget; cause: unknown }[] = [];
  const answered: Surveyed[] = [];
  for (const [i, result] of settled.entries()) {
    if (result.status === 'fulfilled') answered.push(result.value);
    else rejected.push({ target: targets[i]!, cause: result.reason });
  }
  const reject = (server: Surveyed, reason: string) => {
    server.connection.destroy('not used');
    rejected.push({ target: server.target, cause: new Error(reason) });
  };
  const primaries: Surveyed[] = [];
  for (const server of answered) {
    const refusal = server.refusal ?? whyNot(server, answered, remembered);
    if (refusal === undefined) primaries.push(server);
    else reject(server, refusal);
  }
  return { primaries, rejected };
}

/** Why a server must not be used although it accepts writes. */
function whyNot(
  { own }: Surveyed,
  answered: readonly Surveyed[],
  remembered: Timeline | undefined,
): string | undefined {
  const others = answered.filter(({ refusal }) => refusal === undefined).map((server) => server.own);
  const clusters = remembered === undefined ? others : [remembered];
  if (clusters.some(({ cluster }) => cluster !== own.cluster))
    return 'belongs to another cluster than the servers beside it';
  const timelines = [...answered.map(({ known }) => known), ...(remembered ? [remembered] : [])];
  const newest = Math.max(
    ...timelines.filter(({ cluster }) => cluster === own.cluster).map(({ number }) => number),
  );
  return own.number < newest
    ? `takes writes on timeline ${own.number}, and the log is on timeline ${newest}: it was replaced, and must not run as a primary`
    : undefined;
}

/** Closes the connection of a server that answers too late. */
async function inTime(connect: Connect, target: PostgresTarget): Promise<Surveyed> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), SURVEY_MS);
  const answer = ask(connect, target);
  try {
    return await Promise.race([answer, late.promise]);
  } catch (error) {
    answer.then(
      ({ connection }) => connection.destroy('not used'),
      () => {},
    );
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(connect: Connect, target: PostgresTarget): Promise<Surveyed> {
  const connection = await connect({ target, timeoutMs: ANSWER_MS });
  try {
    const refusal = await settle(connection);
    return { target, connection, refusal, ...(await readTimeline(connection)) };
  } catch (error) {
    connection.destroy('not used');
    throw error;
  }
}

/**
 * Makes sure that nothing on this connection waits forever. Returns why the server does not accept writes, if it does
 * not.
 */
async function settle(connection: Connection): Promise<string | undefined> {
  const [row] = await connection.query(
    `SELECT pg_is_in_recovery(), current_setting('transaction_read_only'),
       set_config('lock_timeout', '${ANSWER_MS - 500}', false),
       set_config('default_transaction_isolation', 'read committed', false)`,
  );
  if (row![0] === true) return 'is a standby';
  if (row![1] === 'on') return 'takes no writes';
  // A backend whose client is gone must not hold the log's end for long. Not every system supports this setting.
  await connection.query(`SET client_connection_check_interval = '1s'`).catch(() => {});
  return undefined;
}
