/** Assigns places in the log to appends: the only step that the nodes of a log take one at a time. */

import { CLOCK_STEP_MS } from '../clock.ts';

/** SQLSTATE of an append that would have got a wrong time. */
export const WRONG_CLOCK = 'VE001';

/** A transaction that moves either end of the log holds this lock until it ends. */
export const LOCK_END = `SELECT pg_advisory_xact_lock('head'::regclass::oid::bigint)`;

/**
 * Places a batch after the last one; returns no row if the log begins beyond `next_seq`. It has to be a function: only
 * a function that has waited for the lock sees what was committed meanwhile (PG-1). It updates no row, because versions
 * of a row would pile up beside a long transaction.
 *
 * Places nothing while the server's clock differs from the node's, or is behind the last entry (CLOCK-1).
 *
 * A log of schema 1 is shared with older releases, which find its end in the row of `head`.
 */
export const CREATE_TAKE_PLACES = `
  CREATE OR REPLACE FUNCTION take_places(item_count bigint, digest bytea, given_ts bigint, node_ts bigint, may_lag boolean, next_seq bigint)
  RETURNS TABLE(first_seq bigint, last_seq bigint, ts bigint, hash bytea) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    start record;
    tail record;
    at_ms bigint := coalesce(given_ts, floor(extract(epoch FROM now()) * 1000)::bigint);
  BEGIN
    IF abs(at_ms - node_ts) > ${CLOCK_STEP_MS} THEN
      RAISE EXCEPTION 'the clocks of the database and of the node differ' USING ERRCODE = '${WRONG_CLOCK}';
    END IF;
    PERFORM pg_advisory_xact_lock('head'::regclass::oid::bigint);
    SELECT head.* INTO start FROM head;
    IF NOT FOUND OR start.first_seq > next_seq THEN RETURN; END IF;
    IF start.schema_version = 1 THEN
      IF start.ts > at_ms + ${CLOCK_STEP_MS} AND NOT may_lag THEN
        RAISE EXCEPTION 'the clock is behind the log' USING ERRCODE = '${WRONG_CLOCK}';
      END IF;
      RETURN QUERY UPDATE head SET seq = seq + item_count, ts = greatest(ts, at_ms),
          hash = sha256(hash || int8send(seq + 1) || int8send(greatest(ts, at_ms)) || digest)
        RETURNING seq - item_count + 1, seq, ts, hash;
      RETURN;
    END IF;
    SELECT last_seq AS seq, hash, (SELECT log.ts FROM log WHERE log.seq = batch.last_seq) AS ts INTO tail
      FROM batch ORDER BY batch.first_seq DESC LIMIT 1;
    IF NOT FOUND THEN
      SELECT start.first_seq - 1 AS seq, start.first_hash AS hash, 0::bigint AS ts INTO tail;
    END IF;
    IF tail.ts > at_ms + ${CLOCK_STEP_MS} AND NOT may_lag THEN
      RAISE EXCEPTION 'the clock is behind the log' USING ERRCODE = '${WRONG_CLOCK}';
    END IF;
    at_ms := greatest(tail.ts, at_ms);
    RETURN QUERY SELECT tail.seq + 1, tail.seq + item_count, at_ms,
      sha256(tail.hash || int8send(tail.seq + 1) || int8send(at_ms) || digest);
  END $$`;
