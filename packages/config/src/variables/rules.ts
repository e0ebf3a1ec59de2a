/** Parameters of the engine; once logged, they are part of its state (FINE-4). */

import { addresses, basisPoints, dollars, integer, milliseconds, oneOf, SYMBOLS } from '../kinds.ts';
import { variable } from '../variable.ts';

const AMOUNT_MAX = 1_000_000_000;

export const RULES = {
  VENUE_FUNDING_MODE: variable(oneOf('paper', 'deposits'), {
    readBy: ['exchange'],
    meaning: 'the kind of money; the log fixes it',
    default: 'paper',
    code: 'MODE-1',
  }),
  VENUE_SYMBOLS: variable(SYMBOLS, {
    readBy: ['exchange', 'feed', 'maker'],
    meaning: 'the underlyings with their classes',
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
    meaning: 'how much exposure the market maker may have',
    absent: "10000000; for a bound ledger, the house's funding",
    code: 'CUS-8',
  }),
  VENUE_PAYOUT_MIN_USD: variable(dollars(1_000_000), {
    readBy: ['exchange'],
    meaning: 'the smallest withdrawal, except of a whole balance',
    absent: 'any amount',
    code: 'CUS-6',
  }),
  VENUE_STRIKES_PER_SIDE: variable(integer(1, 100), {
    readBy: ['exchange'],
    meaning: 'the number of strikes listed on each side of the spot',
    default: 20,
    code: 'LIST-1',
  }),
  VENUE_MARGIN_PREMIUM: variable(oneOf('mark', 'intrinsic'), {
    readBy: ['exchange'],
    meaning: 'the premium term of short margin; the log fixes it',
    absent: '`mark` with paper, `intrinsic` with deposits',
    code: 'MAR-1',
  }),
  VENUE_RISK_MARK: variable(oneOf('book', 'model'), {
    readBy: ['exchange'],
    meaning:
      "the source of marks for accounts and liquidation; with `book`, one order can call others' shorts",
    default: 'book',
    code: 'RSK-1',
  }),
  VENUE_MARK_MAKERS: variable(addresses(64), {
    readBy: ['exchange'],
    meaning: "the accounts whose volatilities count for the model beside the market maker's",
    absent: 'the market maker alone',
    code: 'RSK-2',
  }),
  VENUE_IMPACT_USD: variable(dollars(AMOUNT_MAX), {
    readBy: ['exchange'],
    meaning: 'the premium, at least one contract, with which a book side bounds model marks',
    default: 1_000,
    code: 'RSK-2',
  }),
  VENUE_JUMP_STOP_BPS: variable(basisPoints(0, 10_000), {
    readBy: ['exchange'],
    meaning:
      "the distance of a spot from its minute's median that stops liquidation, for a minute at most; 0 for none",
    default: 0,
    code: 'RSK-5',
  }),
  VENUE_SET_LEVELS_MAX: variable(integer(1, 10_000_000), {
    readBy: ['exchange'],
    meaning: 'the maximum number of quote-set levels of all accounts outside `VENUE_MARK_MAKERS`',
    default: 250_000,
    code: 'QTS-2',
  }),
  VENUE_PAPER_MAKER_CASH: variable(dollars(AMOUNT_MAX), {
    readBy: ['exchange'],
    meaning: 'the cash of a new paper account in `VENUE_MARK_MAKERS`',
    default: 10_000_000,
    code: 'ACC-2',
  }),
  VENUE_NONCES_PER_KEY: variable(integer(1, 1_000_000), {
    readBy: ['exchange'],
    meaning: 'the maximum number of live nonces of one account and session key',
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
    meaning: "the silence after which a maker's quotes, or a quote set, are pulled",
    default: 30_000,
    code: 'MM-4',
  }),
  VENUE_ORACLE_MIN_SOURCES: variable(integer(1, 16), {
    readBy: ['exchange'],
    meaning: 'the number of fresh price sources needed to settle',
    default: 2,
    code: 'ORA-1',
  }),
  VENUE_ORACLE_STALE_MS: variable(milliseconds(1_000, 86_400_000), {
    readBy: ['exchange'],
    meaning: 'the age above which a price source no longer counts',
    default: 60_000,
    code: 'OWN-49',
  }),
  VENUE_ORACLE_DISPERSION_BPS: variable(basisPoints(0, 10_000), {
    readBy: ['exchange'],
    meaning: 'the spread of sources above which an expiry is not settled',
    default: 100,
    code: 'ORA-1',
  }),
  VENUE_ORACLE_HAND_BPS: variable(basisPoints(0, 1_000), {
    readBy: ['exchange'],
    meaning: 'the distance from the last prints allowed to a settlement by hand',
    default: 100,
    code: 'ORA-3',
  }),
};
