/** Variables for logs, metrics and traces. */

import { hiddenUrl, integer, share } from '../kinds.ts';
import { type Reader, variable } from '../variable.ts';

const metricsPort = <const R extends Reader>(reader: R) =>
  variable(integer(1, 65_535), {
    readBy: [reader],
    meaning: 'the port of its metrics on 127.0.0.1',
    absent: 'none',
  });

export const TELEMETRY = {
  VENUE_FEED_METRICS_PORT: metricsPort('feed'),
  VENUE_MAKER_METRICS_PORT: metricsPort('maker'),
  VENUE_WATCHER_METRICS_PORT: metricsPort('watcher'),
  VENUE_BATCHER_METRICS_PORT: metricsPort('batcher'),
  VENUE_CHECKER_METRICS_PORT: metricsPort('checker'),
  VENUE_ATTESTOR_METRICS_PORT: metricsPort('attestor'),
  VENUE_PUSH_METRICS_PORT: metricsPort('push'),
  VENUE_TRACE_URL: variable(hiddenUrl('http'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the address of an OTLP collector over HTTP, which may contain a key',
    absent: 'no traces',
    secret: true,
  }),
  VENUE_TRACE_SHARE: variable(share(), {
    readBy: ['exchange', 'follower'],
    meaning: 'the share of requests traced',
    default: 1,
  }),
};
