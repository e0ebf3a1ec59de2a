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
    meaning: 'the port it listens on; 0 takes a free one',
    default: 8080,
  }),
  VENUE_LOG: variable(hiddenText('`sqlite:<path>` or `postgres://user:password@host,host/database`'), {
    readBy: ['exchange', 'follower', 'push', 'verify'],
    meaning: 'the address of the log; several nodes share one on PostgreSQL',
    default: 'sqlite:./data/venue.db',
    secret: true,
    code: 'OWN-70',
  }),
  VENUE_LOG_SINGLE: variable(flag(), {
    readBy: ['exchange'],
    meaning: 'whether a log on PostgreSQL may be on one server, without synchronous standbys',
    default: 0,
    code: 'PG-3',
  }),
  VENUE_SIMULATED_PRICES: variable(flag(), {
    readBy: ['exchange'],
    meaning: 'whether simulated and replayed prices are taken with real money; for a demo alone',
    default: 0,
    code: 'FEED-1',
  }),
  VENUE_SIMULATED_PAST: variable(flag(), {
    readBy: ['exchange', 'follower'],
    meaning:
      'whether charts of spots begin 90 days before the first price of a paper market, with computed candles marked `simulated`; `venue up` sets 1 with simulated prices',
    default: 0,
    code: 'HIS-5',
  }),
  VENUE_ARCHIVE_MS: variable(milliseconds(1_000, 30 * 86_400_000), {
    readBy: ['exchange'],
    meaning:
      'the time after which entries that no start needs leave a log in a file for an archive beside it, while the node runs; `venue up` sets 3600000',
    absent: 'they stay in the log until `venue archive`',
    code: 'LOG-5',
  }),
  VENUE_HISTORY: variable(text('a file, or `off` for none'), {
    readBy: ['exchange', 'follower'],
    meaning: "the file of the accounts' history, which is made from the log",
    absent:
      'beside the log; with PostgreSQL `./data/history.db`; of a follower a file of its own, named by its port',
  }),
  VENUE_FILES: variable(text('a folder, or `off` for none'), {
    readBy: ['exchange', 'follower'],
    meaning:
      'the folder of the daily files of trades, candles and settlements, which are made from the history',
    absent:
      'beside the log; with PostgreSQL `./data/files`; of a follower a folder of its own, named by its port',
    code: 'FIL-1',
  }),
  VENUE_TERMINAL: variable(text('a folder, or `off` for none'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the folder with the pages of the trading terminal',
    absent: 'those of `npm run terminal`, if they are there; `venue up` makes them',
  }),
  VENUE_TERMINAL_VAULT: variable(text('a file that `venue vault deploy` wrote'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the file by which the terminal finds the vault',
    absent: 'the terminal offers no deposit',
  }),
  VENUE_TERMINAL_OFFLINE: variable(oneOf('on', 'off'), {
    readBy: ['exchange', 'follower'],
    meaning:
      'whether browsers keep the terminal, to open it without a network; `off` makes those that have it forget it',
    default: 'on',
    code: 'INST-2',
  }),
  VENUE_PUSH_URL: variable(VENUE_URL, {
    readBy: ['exchange', 'follower'],
    meaning: 'the address at which browsers reach `venue push`, such as `https://venue.example/push`',
    absent: 'the terminal offers no notifications for closed tabs',
    code: 'PUSH-2',
  }),
  VENUE_LOG_LEVEL: variable(oneOf('debug', 'info', 'warn', 'error', 'silent'), {
    readBy: ['exchange', 'follower'],
    meaning: 'the least severe lines to print (`venue up` sets `warn`); has nothing to do with the log above',
    default: 'info',
  }),
  VENUE_SKIP_SEQ: variable(SEQUENCE_NUMBERS, {
    readBy: ['exchange', 'follower', 'push'],
    meaning: 'the log entries to leave out of a replay, should the engine stop at one',
    absent: 'all are replayed',
    code: 'OWN-21',
  }),
  VENUE_WS_TICK_MS: variable(milliseconds(10, 60_000), {
    readBy: ['exchange', 'follower'],
    meaning: 'the time between two pushes to stream clients',
    default: 250,
    code: 'WS-1',
  }),
  VENUE_STREAM_TICK_MS: variable(milliseconds(10, 60_000), {
    readBy: ['exchange', 'follower'],
    meaning: 'the time between two messages of a channel of `/v1/stream`',
    default: 50,
    code: 'STR-3',
  }),
  VENUE_DRAIN_MS: variable(milliseconds(0, 600_000), {
    readBy: ['exchange', 'follower'],
    meaning:
      'how long it goes on answering after SIGTERM, while `/readyz` says that it is to get no more (`venue up` sets 0)',
    default: 0,
    code: 'HTTP-6',
  }),
  VENUE_REQUIRE_SIGNED_ORDERS: variable(flag(), {
    readBy: ['exchange'],
    meaning: 'whether unsigned writes are refused in paper mode too; in deposits mode they always are',
    default: 0,
    code: 'AUTH-3',
  }),
  VENUE_NODE_URL: variable(VENUE_URL, {
    readBy: ['follower'],
    meaning: 'the address of the nodes, which a follower tells those who send it a write',
    absent: 'it tells them of "a node of the venue"',
    code: 'FOL-1',
  }),
};
