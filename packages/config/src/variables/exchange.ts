/** Variables of the node itself: address, files, intervals. */

import {
  flag,
  hiddenText,
  integer,
  milliseconds,
  oneOf,
  SEQUENCE_NUMBERS,
  text,
  VENUE_URL,
} from '../kinds.ts';
import { variable } from '../variable.ts';

export const EXCHANGE = {
  VENUE_HOST: variable(text('an address of this machine'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the address it listens on',
    default: '127.0.0.1',
  }),
  VENUE_PORT: variable(integer(0, 65_535), {
    readBy: ['exchange', 'follower'],
    meaning: 'the port it listens on; 0 for a free one',
    default: 8080,
  }),
  VENUE_LOG: variable(hiddenText('`sqlite:<path>` or `postgres://user:password@host,host/database`'), {
    readBy: ['exchange', 'follower', 'push', 'verify'],
    meaning: 'the address of the log, shared by nodes on PostgreSQL',
    default: 'sqlite:./data/venue.db',
    secret: true,
    code: 'OWN-70',
  }),
  VENUE_LOG_SINGLE: variable(flag(), {
    readBy: ['exchange'],
    meaning: 'whether PostgreSQL may run without synchronous standbys',
    default: 0,
    code: 'PG-3',
  }),
  VENUE_SIMULATED_PRICES: variable(flag(), {
    readBy: ['exchange'],
    meaning: 'whether simulated prices are accepted with real money; for demos only',
    default: 0,
    code: 'FEED-1',
  }),
  VENUE_SIMULATED_PAST: variable(flag(), {
    readBy: ['exchange', 'follower'],
    meaning:
      'whether spot charts of a paper market begin 90 days early, with `simulated` candles; `venue up` sets 1 with simulated prices',
    default: 0,
    code: 'HIS-5',
  }),
  VENUE_ARCHIVE_MS: variable(milliseconds(1_000, 30 * 86_400_000), {
    readBy: ['exchange'],
    meaning:
      'the interval at which a running node moves old entries to a file beside the log; `venue up` sets 3600000',
    absent: 'until `venue archive`',
    code: 'LOG-5',
  }),
  VENUE_HISTORY: variable(text('a file, or `off` for none'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the file of the history, built from the log',
    absent: 'beside the log; with PostgreSQL `./data/history.db`; for a follower, named by its port',
  }),
  VENUE_FILES: variable(text('a folder, or `off` for none'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the folder of the daily files',
    absent: 'beside the log; with PostgreSQL `./data/files`; for a follower, named by its port',
    code: 'FIL-1',
  }),
  VENUE_TERMINAL: variable(text('a folder, or `off` for none'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the folder of the trading terminal',
    absent: 'that of `npm run terminal`, if built; `venue up` builds it',
  }),
  VENUE_TERMINAL_VAULT: variable(text('a file that `venue vault deploy` wrote'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the file from which the terminal learns its vault',
    absent: 'the terminal offers no deposit',
  }),
  VENUE_TERMINAL_OFFLINE: variable(oneOf('on', 'off'), {
    readBy: ['exchange', 'follower'],
    meaning: 'whether browsers store the terminal to open it offline; `off` also removes stored ones',
    default: 'on',
    code: 'INST-2',
  }),
  VENUE_PUSH_URL: variable(VENUE_URL, {
    readBy: ['exchange', 'follower'],
    meaning: 'the public address of `venue push`, such as `https://venue.example/push`',
    absent: 'no notifications for closed tabs',
    code: 'PUSH-2',
  }),
  VENUE_LOG_LEVEL: variable(oneOf('debug', 'info', 'warn', 'error', 'silent'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the lowest severity to print (`venue up` sets `warn`)',
    default: 'info',
  }),
  VENUE_SKIP_SEQ: variable(SEQUENCE_NUMBERS, {
    readBy: ['exchange', 'follower', 'push'],
    meaning: 'the log entries to skip in a replay that stops at one',
    absent: 'none',
    code: 'OWN-21',
  }),
  VENUE_WS_TICK_MS: variable(milliseconds(10, 60_000), {
    readBy: ['exchange', 'follower'],
    meaning: 'the time between two pushes on `/ws`',
    default: 250,
    code: 'WS-1',
  }),
  VENUE_STREAM_TICK_MS: variable(milliseconds(10, 60_000), {
    readBy: ['exchange', 'follower'],
    meaning: 'the time between two messages of a `/v1/stream` channel',
    default: 50,
    code: 'STR-3',
  }),
  VENUE_DRAIN_MS: variable(milliseconds(0, 600_000), {
    readBy: ['exchange', 'follower'],
    meaning: 'how long it still answers after SIGTERM while `/readyz` refuses (`venue up` sets 0)',
    default: 0,
    code: 'HTTP-6',
  }),
  VENUE_REQUIRE_SIGNED_ORDERS: variable(flag(), {
    readBy: ['exchange'],
    meaning: 'whether unsigned writes are refused in paper mode too',
    default: 0,
    code: 'AUTH-3',
  }),
  VENUE_NODE_URL: variable(VENUE_URL, {
    readBy: ['follower'],
    meaning: 'the address of the nodes, named to a client that sends a follower a write',
    absent: '"a node of the venue" is named',
    code: 'FOL-1',
  }),
};
