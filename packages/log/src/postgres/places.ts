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
 * `ROWS 1`: taken for a thousand rows, the append would be planned again each time, which takes the server longer than
 * to carry it out.
 */
export const CREATE_TAKE_PLACES = `
  CREATE OR REPLACE FUNCTION take_places(item_count bigint, digest bytea, given_ts bigint, node_ts bigint, may_lag boolean, next_seq bigint)
  RETURNS TABLE(first_seq bigint, last_seq bigint, ts bigint, hash bytea) LANGUAGE plpgsql ROWS 1 AS $$
  #variable_conflict use_column
  DECLARE
    known record;
    at_ms bigint := coalesce(given_ts, floor(extract(epoch FROM now()) * 1000)::bigint);
  BEGIN
    IF abs(at_ms - node_ts) > ${CLOCK_STEP_MS} THEN
      RAISE EXCEPTION 'the clocks of the database and of the node differ' USING ERRCODE = '${WRONG_CLOCK}';
    END IF;
    PERFORM pg_advisory_xact_lock('head'::regclass::oid::bigint);
    SELECT head.*, tail.last_seq AS tail_seq, tail.hash AS tail_hash,
        (SELECT log.ts FROM log WHERE log.seq = tail.last_seq) AS tail_ts
      INTO known FROM head
      LEFT JOIN (SELECT last_seq, hash FROM batch ORDER BY batch.first_seq DESC LIMIT 1) AS tail ON true;
    IF NOT FOUND OR known.first_seq > next_seq THEN RETURN; END IF;
    IF known.tail_ts > at_ms + ${CLOCK_STEP_MS} AND NOT may_lag THEN
      RAISE EXCEPTION 'the clock is behind the log' USING ERRCODE = '${WRONG_CLOCK}';
    END IF;
    first_seq := coalesce(known.tail_seq + 1, known.first_seq);
    last_seq := first_seq + item_count - 1;
    ts := greatest(known.tail_ts, at_ms);
    hash := sha256(coalesce(known.tail_hash, known.first_hash) || int8send(first_seq) || int8send(ts) || digest);
    RETURN NEXT;
  END $$`;
