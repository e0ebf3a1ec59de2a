/** Parameters of the engine; once logged, they are part of its state (FINE-4). */

import { addresses, basisPoints, dollars, integer, milliseconds, oneOf, SYMBOLS } from '../kinds.ts';
import { variable } from '../variable.ts';

const AMOUNT_MAX = 1_000_000_000;

export const RULES = {
  VENUE_FUNDING_MODE: variable(oneOf('paper', 'deposits'), {
    readBy: ['exchange'],
    meaning: 'the kind of money; fixed once the log has it',
    default: 'paper',
    code: 'MODE-1',
  }),
  VENUE_SYMBOLS: variable(SYMBOLS, {
    readBy: ['exchange', 'feed', 'maker'],
    meaning: 'the underlyings, each with its class',
    default: 'BTC:crypto,ETH:crypto,AAPL:equity,SPX:index',
    code: 'OWN-17',
  }),
  VENUE_PAPER_CASH: variable(dollars(AMOUNT_MAX), {
    readBy: ['exchange'],
    meaning: 'the cash of a new paper account',
    default: 100_000,
    code: 'ACC-2',
  }),
  VENUE_HOUSE_LINE: variable(dollars(AMOUNT_MAX), {
    readBy: ['exchange'],
    meaning: 'how far the market maker may be exposed',
    absent: '10000000; what was funded for the house, once the ledger is bound to a vault',
    code: 'CUS-8',
  }),
  VENUE_PAYOUT_MIN_USD: variable(dollars(1_000_000), {
    readBy: ['exchange'],
    meaning: 'the smallest withdrawal, unless it is all that the account has',
    absent: 'any amount may be withdrawn',
    code: 'CUS-6',
  }),
  VENUE_STRIKES_PER_SIDE: variable(integer(1, 100), {
    readBy: ['exchange'],
    meaning: 'the number of strikes listed below and above the spot',
    default: 20,
    code: 'LIST-1',
  }),
  VENUE_MARGIN_PREMIUM: variable(oneOf('mark', 'intrinsic'), {
    readBy: ['exchange'],
    meaning: 'the premium term of short margin; fixed once the log has it',
    absent: '`mark` in paper mode, `intrinsic` in deposits mode',
    code: 'MAR-1',
  }),
  VENUE_RISK_MARK: variable(oneOf('book', 'model'), {
    readBy: ['exchange'],
    meaning:
      'where the marks of accounts and of liquidation come from; with `book`, any order in a thin book sets marks that call the shorts of others',
    default: 'book',
    code: 'RSK-1',
  }),
  VENUE_MARK_MAKERS: variable(addresses(64), {
    readBy: ['exchange'],
    meaning: 'the accounts whose volatilities count for the model, as those of the market maker do',
    absent: 'those of the market maker alone count',
    code: 'RSK-2',
  }),
  VENUE_IMPACT_USD: variable(dollars(AMOUNT_MAX), {
    readBy: ['exchange'],
    meaning:
      'the premium, one contract at least, that a side of a book must hold to bound a mark of the model',
    default: 1_000,
    code: 'RSK-2',
  }),
  VENUE_JUMP_STOP_BPS: variable(basisPoints(0, 10_000), {
    readBy: ['exchange'],
    meaning:
      'how far the spot of a symbol may be from the median of its last minute before accounts that hold contracts on it are not liquidated, for a minute at most; with 0 they always are',
    default: 0,
    code: 'RSK-5',
  }),
  VENUE_SET_LEVELS_MAX: variable(integer(1, 10_000_000), {
    readBy: ['exchange'],
    meaning: 'the levels that the quote sets of all accounts outside `VENUE_MARK_MAKERS` may have together',
    default: 250_000,
    code: 'QTS-2',
  }),
  VENUE_PAPER_MAKER_CASH: variable(dollars(AMOUNT_MAX), {
    readBy: ['exchange'],
    meaning: 'the cash of a new paper account that `VENUE_MARK_MAKERS` names',
    default: 10_000_000,
    code: 'ACC-2',
  }),
  VENUE_NONCES_PER_KEY: variable(integer(1, 1_000_000), {
    readBy: ['exchange'],
    meaning: 'the nonces of one account and session key that may be live together',
    default: 16_384,
    code: 'SIG-4',
  }),
  VENUE_MAINTENANCE_MS: variable(milliseconds(100, 3_600_000), {
    readBy: ['exchange'],
    meaning: 'the time between two maintenance ticks',
    default: 5_000,
    code: 'MAINT-1',
  }),
  VENUE_QUOTE_TTL_MS: variable(milliseconds(100, 86_400_000), {
    readBy: ['exchange'],
    meaning: 'the silence of the maker after which its quotes are pulled',
    default: 30_000,
    code: 'MM-4',
  }),
  VENUE_ORACLE_MIN_SOURCES: variable(integer(1, 16), {
    readBy: ['exchange'],
    meaning: 'the number of fresh price sources without which an expiry is not settled',
    default: 2,
    code: 'ORA-1',
  }),
  VENUE_ORACLE_STALE_MS: variable(milliseconds(1_000, 86_400_000), {
    readBy: ['exchange'],
    meaning: 'the age past which a price source no longer counts, for the spot and at an expiry',
    default: 60_000,
    code: 'OWN-49',
  }),
  VENUE_ORACLE_DISPERSION_BPS: variable(basisPoints(0, 10_000), {
    readBy: ['exchange'],
    meaning: 'the spread of the sources above which an expiry is not settled',
    default: 100,
    code: 'ORA-1',
  }),
  VENUE_ORACLE_HAND_BPS: variable(basisPoints(0, 1_000), {
    readBy: ['exchange'],
    meaning: 'how far a hand settlement may be from the last prints',
    default: 100,
    code: 'ORA-3',
  }),
};
