/** Every limit that a client can meet (VEN-2). */

import {
  CLIENT_ID_REMEMBERED_MS,
  CLIENT_IDS_REMEMBERED,
  CONTRACT_SIGNATURE_LENGTH_MAX,
  FILLS_KEPT,
  NONCE_WINDOW_MS,
  PARKED_MS,
  PARKED_PER_ADDRESS_MAX,
  PARKED_REVOCATIONS_MAX,
  RESTING_ORDERS_MAX,
  SESSION_LIFETIME_MAX_MS,
  SESSION_RECORDS_PER_ACCOUNT_MAX,
  SESSIONS_PER_ACCOUNT_MAX,
  SET_LEVEL_RESERVE_MICROS,
  TIMED_ORDERS_MAX,
  type VenueParameters,
  VISITS_MAX,
  WITHDRAWALS_OUTSTANDING_MAX,
} from '@venue/engine';
import {
  BATCH_ACTIONS_MAX,
  BATCH_CANCEL_SERIES_MAX,
  CLIENT_ID_LENGTH_MAX,
  COMBO_LEGS_MAX,
  COMBO_LEGS_MIN,
  FROZEN_MS_MAX,
  GUARD_MS_MAX,
  GUARD_MS_MIN,
  LEG_RATIO_MAX,
  MICROS_MAX,
  microsToDecimal,
  QUOTE_LEVELS_MAX,
  QUOTE_SETS_MAX,
  SET_LEVELS_MAX,
  toMicros,
  WINDOW_MS_MAX,
  WINDOW_MS_MIN,
} from '@venue/protocol';
import { type LIMITS, PAGE_ROWS_MAX, SIMULATED_LEGS_MAX, SYMBOLS_PER_CANCEL_MAX } from '@venue/protocol/wire';
import { CHALLENGE_LIFETIME_MS } from '../auth/challenges.ts';
import { TOKEN_LIFETIME_MS } from '../auth/tokens.ts';
import { CHANNEL_LIMITS } from '../stream/channels/hub.ts';
import { BATCH_BUDGET, MESSAGE_BUDGET, WAITING_BYTES_MAX } from '../stream/channels/inbox.ts';
import { OPEN_ORDERS_MAX } from '../views/account.ts';
import { CHANNELS_MAX, MESSAGE_BYTES_MAX, PIECES_MAX } from './channel-limits.ts';
import { CONTAINERS_MAX } from './json.ts';
import { MIB } from './route.ts';
import { STATEMENT_ROWS_MAX } from './routes/account.ts';
import { ROWS_MAX } from './routes/analytics.ts';
import { PUSH_ROWS_MAX } from './routes/quote-sets.ts';

type Limits = Readonly<Record<keyof typeof LIMITS, number>>;

/** Those that no parameter changes. */
const FIXED = {
  actionsPerBatch: BATCH_ACTIONS_MAX,
  restingOrders: RESTING_ORDERS_MAX,
  timedOrders: TIMED_ORDERS_MAX,
  seriesPerBatchCancels: BATCH_CANCEL_SERIES_MAX,
  symbolsPerCancel: SYMBOLS_PER_CANCEL_MAX,
  visitsPerEntry: VISITS_MAX,
  comboLegsMin: COMBO_LEGS_MIN,
  comboLegsMax: COMBO_LEGS_MAX,
  legRatioMax: LEG_RATIO_MAX,
  amountMax: microsToDecimal(toMicros(MICROS_MAX)),
  guardMsMin: GUARD_MS_MIN,
  guardMsMax: GUARD_MS_MAX,
  clientIdLength: CLIENT_ID_LENGTH_MAX,
  clientIdKnownMs: CLIENT_ID_REMEMBERED_MS,
  clientIdsKnown: CLIENT_IDS_REMEMBERED,
  nonceWindowMs: NONCE_WINDOW_MS,
  sessionMsMax: SESSION_LIFETIME_MAX_MS,
  sessionsPerAccount: SESSIONS_PER_ACCOUNT_MAX,
  sessionRecordsPerAccount: SESSION_RECORDS_PER_ACCOUNT_MAX,
  challengeMs: CHALLENGE_LIFETIME_MS,
  tokenMs: TOKEN_LIFETIME_MS,
  contractSignatureLength: CONTRACT_SIGNATURE_LENGTH_MAX,
  contractApprovalMs: PARKED_MS,
  contractApprovalsPerAddress: PARKED_PER_ADDRESS_MAX,
  contractRevocationsPerSession: PARKED_REVOCATIONS_MAX,
  withdrawalsOutstanding: WITHDRAWALS_OUTSTANDING_MAX,
  quoteSets: QUOTE_SETS_MAX,
  setLevels: SET_LEVELS_MAX,
  setLevelReserve: microsToDecimal(toMicros(SET_LEVEL_RESERVE_MICROS)),
  rowsPerPush: PUSH_ROWS_MAX,
  levelsPerSide: QUOTE_LEVELS_MAX,
  windowMsMin: WINDOW_MS_MIN,
  windowMsMax: WINDOW_MS_MAX,
  frozenMsMax: FROZEN_MS_MAX,
  bodyBytes: MIB,
  bodyContainers: CONTAINERS_MAX,
  ordersPerMinute: 60,
  cancelsPerMinute: 60,
  batchesPerMinute: 300,
  pushesPerMinute: 600,
  signInsPerMinute: 10,
  requestsPerMinute: 300,
  reservesPerMinute: 300,
  streamsPerMinute: 10,
  fillsKept: FILLS_KEPT,
  openOrdersShown: OPEN_ORDERS_MAX,
  rowsPerPage: PAGE_ROWS_MAX,
  statementRowsPerPage: STATEMENT_ROWS_MAX,
  candlesPerPage: ROWS_MAX,
  simulatedLegs: SIMULATED_LEGS_MAX,
  streamChannels: CHANNELS_MAX,
  streamMessageBytes: MESSAGE_BYTES_MAX,
  streamMessagePieces: PIECES_MAX,
  streamMessagesPerSecond: MESSAGE_BUDGET.perSecond,
  streamMessageBurst: MESSAGE_BUDGET.burst,
  streamBatchesPerSecond: BATCH_BUDGET.perSecond,
  streamBatchBurst: BATCH_BUDGET.burst,
  streamWaitingBytes: WAITING_BYTES_MAX,
  streamHeldBytes: CHANNEL_LIMITS.heldBytes,
  streamUnreadBytes: CHANNEL_LIMITS.unreadBytesMax,
  streamSilenceMs: CHANNEL_LIMITS.silenceMs,
  streamPingMs: CHANNEL_LIMITS.pingMs,
  streamBeatMs: CHANNEL_LIMITS.beatMs,
  streamLingerMs: CHANNEL_LIMITS.lingerMs,
} as const;

/** The limits of a venue with these parameters. */
export function limitsOf({
  noncesPerKeyMax,
  quoteTtlMs,
  setLevelsMax,
}: Pick<VenueParameters, 'noncesPerKeyMax' | 'quoteTtlMs' | 'setLevelsMax'>): Limits {
  return { ...FIXED, noncesPerKey: noncesPerKeyMax, quoteTtlMs, setLevelsOfAll: setLevelsMax };
}
