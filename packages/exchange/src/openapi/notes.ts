/** The contract's notes on each operation, in addition to its row in the route table. */

import { type ErrorName, REJECT } from '@venue/protocol';
import {
  CancelOrderRequestSchema,
  CancelRequestSchema,
  MarginRequestSchema,
  OrderAcceptedSchema,
  OrderPreviewRequestSchema,
  OrderRejectedSchema,
  OrderRequestSchema,
  SessionRequestSchema,
  SessionRevokeRequestSchema,
  WithdrawRequestSchema,
} from '@venue/protocol/wire';
import type { TSchema } from 'typebox';

export type Tag = 'Service' | 'Market' | 'Sign-in' | 'Account' | 'Trading' | 'Custody' | 'Help';

export interface Note {
  readonly id: string;
  readonly tag: Tag;
  /** Units, order of checks and the rules behind them. */
  readonly text: string;
  /** Errors of its own, in addition to those of its access, body and query. */
  readonly errors?: readonly ErrorName[];
  /** Texts about single fields that no schema knows of, with N for a place in a list. */
  readonly fieldErrors?: readonly string[];
  /** Schemas of answers that differ from the row's for a 200 and from the error schema otherwise. */
  readonly answers?: Readonly<Record<number, TSchema>>;
  /** Bodies of other operations that it accepts and checks, each with the fields that identify it. */
  readonly explains?: readonly { readonly schema: TSchema; readonly has: readonly string[] }[];
}

export const TAGS: readonly (readonly [Tag, string])[] = [
  ['Service', 'Whether it is there, and of which kind it is.'],
  ['Market', 'Underlyings, series, books, prints and settlements. No authentication.'],
  ['Sign-in', 'From a wallet to a token for reads and to a session key for writes. No authentication.'],
  ['Account', 'What the holder of a token reads.'],
  ['Trading', 'Signed by a session key; in paper mode, unless signing is forced, a token will do.'],
  ['Custody', 'Money that leaves. Exists in `deposits` mode alone.'],
  ['Help', 'For whoever writes a client.'],
];

const CANCELS: readonly ErrorName[] = [
  'fieldHasNewline',
  'symbolAndSymbols',
  'symbolComma',
  'symbolReserved',
];

/** Beside these two that take time to bring about: `series expired` and `series settled`. */
const SIMULATED_LEG_ERRORS: readonly string[] = [
  'legs[N].price required',
  ...[REJECT.unknownSeries, REJECT.badQty, REJECT.badPrice].map((reason) => `legs[N]: ${reason}`),
];

/** By method and path. */
export const NOTES: ReadonlyMap<string, Note> = new Map<string, Note>([
  [
    'GET /v1/reasons',
    {
      id: 'reasons',
      tag: 'Help',
      text: 'Each refusal has a code, which the header `x-venue-code` of the answer carries; results of a batch, previews and rows of a push to a quote set have it as `code`. A text may change its wording, a code does not. Names in braces stand for what the text fills in; the amounts `need`, `have` and `headroom` are members of a result too (ERR-1).',
    },
  ],
  [
    'GET /healthz',
    {
      id: 'healthz',
      tag: 'Service',
      text: 'Read it first: `fundingMode` says whether money is real. `ok` is false while the node has not heard from its log; every other route then answers 500.',
    },
  ],
  [
    'GET /v1/venue',
    {
      id: 'venue',
      tag: 'Service',
      text: 'Pin `venue` to the address: a batch names it, and another id at the same address is another deployment (VEN-1). `seq` is the last entry that the answer shows, as in the header `x-venue-seq` of every answer.',
      errors: ['notYetUpgraded'],
    },
  ],
  [
    'GET /v1/meta',
    {
      id: 'meta',
      tag: 'Market',
      text: 'A spot is the median over the sources that printed within 60 s; `feedFresh` is false, and the last value still shown, when none has (FEED-2). `pendingReview` names the series that the oracle refused to settle.',
    },
  ],
  [
    'GET /v1/series',
    {
      id: 'series',
      tag: 'Market',
      text: 'Live series only: what expired, settled or waits for review is not in it. Large, more than a thousand rows for a full symbol, and it changes only when the roll lists new contracts (LIST-3). Keep `seriesId`; `sid` may be another after a restart (LIST-5).',
      errors: ['unknownSymbol'],
    },
  ],
  [
    'GET /v1/chain',
    {
      id: 'chain',
      tag: 'Market',
      text: 'The expensive read. `mid` is the mark: the midpoint, the price of the only side that rests, or null (MARK-1). `iv` and `delta` are what the market maker annotated, 0 where it did not. `volume` counts contracts since listing, `openInterest` is the sum of long positions (LIST-6). An expiry without series has no rows.',
      errors: ['unknownSymbol'],
    },
  ],
  [
    'GET /v1/book',
    {
      id: 'book',
      tag: 'Market',
      text: 'Aggregated by price, best first on each side. A series that expired keeps its name and has an empty book.',
      errors: ['unknownSeries'],
    },
  ],
  [
    'GET /v1/tape',
    {
      id: 'tape',
      tag: 'Market',
      text: '`side` is the taker’s: `buy` means that an offer was lifted. A restart empties the tape.',
      errors: ['unknownSymbol'],
    },
  ],
  [
    'GET /v1/settlements',
    {
      id: 'settlements',
      tag: 'Market',
      text: 'One price for each underlying and expiry, with the averages it was decided from (ORA-1, ORA-2). `refused` lists what waits for review, and is absent when nothing does.',
      errors: ['unknownSymbol'],
    },
  ],
  [
    'GET /v1/trades',
    {
      id: 'trades',
      tag: 'Market',
      text: 'All prints of the log, of one series or of an underlying. `id` ascends and is the same at every node; `before`, the id of a trade, and `limit` ask for a page, and an answer with `before` has older ones after it. `side` is the taker’s. `x-venue-seq` is the entry that the answer shows (HIS-1).',
      errors: ['symbolOrSeries', 'unknownSymbol', 'unknownSeries', 'historyUnavailable'],
    },
  ],
  [
    'GET /v1/candles',
    {
      id: 'candles',
      tag: 'Market',
      text: 'Of [t, t + interval) in UTC, by the time of the log; an interval without a price is left out, and the last one is still open. Candles that begin in [from, to) are answered: the first 1,500, with `next` where more follow; without `from` the last 1,500. Spots count with every change, trades with every print. Marks are sampled right after the first entry in a minute, where they changed; those of 1m and 5m are kept for 7 days, of longer intervals for 90. A paper market with simulated prices may show 90 days of a spot from before its first price, as candles with `simulated: true` (HIS-5). `x-venue-seq` is the entry that the answer shows (HIS-2).',
      errors: ['unknownSymbol', 'unknownSeries', 'historyUnavailable'],
    },
  ],
  [
    'GET /v1/tickers',
    {
      id: 'tickers',
      tag: 'Market',
      text: 'By Black’s formula of 1976, with the spot as forward, no interest, and years of 365 days: `iv` is the volatility at which it gives the mark, over whole minutes to the cutoff, rounded up; the greeks are at that volatility, `vega` for 0.01 of it and `theta` for a day. Where the mark is at or under intrinsic value `iv` is null, `delta` 0, 1 or -1 by moneyness and the others 0; without a mark all five are null. `mark` is the one that accounts are valued at. `settlementSoFar` is there in the half hour before a cutoff. `x-venue-seq` is the entry that the answer shows (HIS-3).',
      errors: ['unknownSymbol'],
    },
  ],
  [
    'GET /v1/iv',
    {
      id: 'iv',
      tag: 'Market',
      text: 'Sampled in the first minute of every hour of the log, from the marks of the strikes next to the spot. Rows whose `t` is in [from, to) are answered: the first 1,500, with `next` where more follow; without `from` the last 1,500. An expiry that never was has no rows. `x-venue-seq` is the entry that the answer shows (HIS-4).',
      errors: ['unknownSymbol', 'historyUnavailable'],
    },
  ],
  [
    'GET /v1/volatility',
    {
      id: 'volatility',
      tag: 'Market',
      text: 'By the method of the VIX, in percent, over the two expiries around 30 days, or the nearest one where there is none on one side: from the middles of bid and ask of options out of the money. Null with fewer than five priced strikes a side. Rows are sampled in the first minute of every hour of the log and paged as those of `GET /v1/iv` (HIS-4).',
      errors: ['unknownSymbol', 'historyUnavailable'],
    },
  ],
  [
    'GET /v1/equity',
    {
      id: 'equity',
      tag: 'Account',
      text: 'Sampled in the first minute of every hour of the log, where it changed: an hour without a row has the equity of the last row before it. Paged as `GET /v1/iv`. `completeFrom` says from when on there are rows, where the venue no longer has the log from before. `x-venue-seq` is the entry that the answer shows (HIS-4).',
      errors: ['historyUnavailable'],
    },
  ],
  [
    'GET /v1/auth/challenge',
    {
      id: 'challenge',
      tag: 'Sign-in',
      text: 'Sign the bytes of `message` as they came, under EIP-191, with the wallet. A challenge counts once and for ten minutes; asking again meanwhile gives the same one (AUTH-1).',
    },
  ],
  [
    'POST /v1/auth/verify',
    {
      id: 'verify',
      tag: 'Sign-in',
      text: 'Consumes the challenge whether or not the signature is valid: after `bad signature` ask for another. The token lives 24 hours and goes into `x-paper-token` or `Authorization: Bearer`, never into a path. In paper mode the first sign-in funds the account (ACC-2).',
      errors: ['noChallenge', 'challengeExpired', 'badSignature', 'tooManyAccounts'],
    },
  ],
  [
    'POST /v1/auth/session',
    {
      id: 'approveSession',
      tag: 'Sign-in',
      text: 'The wallet signs eight lines that name the account, the session key and the end of the session in milliseconds, at most 30 days ahead. Opens the account as a sign-in would, and answers a token. Posting the approval in force again changes nothing; a revoked key stays dead (KEY-1, KEY-2).',
      errors: [
        'badSignature',
        'approvalNotByAccount',
        'badExpiry',
        'unknownSessionKey',
        'tooManySessions',
        'tooManyAccounts',
      ],
    },
  ],
  [
    'GET /v1/auth/session',
    {
      id: 'sessions',
      tag: 'Sign-in',
      text: 'In the order of their approvals. A wallet that nobody knows has none.',
    },
  ],
  [
    'POST /v1/auth/session/revoke',
    {
      id: 'revokeSession',
      tag: 'Sign-in',
      text: 'The wallet signs `Venue: revoke a trading session.` with account, session key and the approval’s expiry, which the service takes from its own record; the approval’s own signature is proof too. Repeating it is harmless (KEY-3).',
      errors: ['unknownSessionKey', 'notYourSessionKey', 'badSignature'],
    },
  ],
  [
    'POST /v1/auth/session/contract',
    {
      id: 'approveSessionByContract',
      tag: 'Sign-in',
      text: 'The contract signs the text that a wallet with a key signs; `signature` is what its `isValidSignature` accepts for the EIP-191 hash (ERC-1271), wrapped as ERC-6492 says while it is not deployed. The approval is parked until the venue has asked its nodes of the chain, ten minutes at most. It then does what the approval of a key does, except that it answers no token: the session key signs a challenge for its account instead. Eight may be parked for an address, 256 in all (CUS-19).',
      errors: ['badExpiry', 'unknownSessionKey', 'tooManySessions', 'tooManyParked', 'signsItself'],
    },
  ],
  [
    'POST /v1/auth/session/contract/revoke',
    {
      id: 'revokeSessionByContract',
      tag: 'Sign-in',
      text: 'As the approval by a contract wallet; the text is that of a revocation by a key, with the expiry of the approval in force. It is parked in the same way (CUS-19, KEY-3).',
      errors: ['unknownSessionKey', 'notYourSessionKey', 'tooManyParked', 'signsItself'],
    },
  ],
  [
    'GET /v1/auth/session/contract',
    {
      id: 'parkedSession',
      tag: 'Sign-in',
      text: '`parked` until it is `approved`, `refused` with a reason, or `lapsed`. The answers to the newest 1,024 are remembered (CUS-19).',
      errors: ['unknownParked'],
    },
  ],
  [
    'GET /v1/me',
    {
      id: 'me',
      tag: 'Account',
      text: 'Amounts in dollars. `buyingPower` is cash less what is locked, and also what may be withdrawn; positions are no collateral (MAR-3).',
    },
  ],
  [
    'GET /v1/fills',
    {
      id: 'fills',
      tag: 'Account',
      text: 'Trades, settlements and liquidations. `before`, the id of a fill, and `limit` ask for a page; an answer with `before` has older ones after it. `realized` excludes fees, which stand in `fee`; a settlement has the payout of a contract as its price and the closing side (ACC-4, FINE-7). The 500 newest are always at hand; a venue that keeps no history refuses older ones.',
      errors: ['historyUnavailable'],
    },
  ],
  [
    'GET /v1/orders',
    {
      id: 'orders',
      tag: 'Account',
      text: 'Every order that was accepted, newest first, with all that the node has applied; `before`, the id of an order, and `limit` ask for a page, and an answer with `before` has older ones after it. `cause` says why an order closed: `filled`, `user`, `ioc`, `stp`, `gtd`, `guard`, `margin`, `settlement` or `liquidation`. `status` follows from it: `filled`, `expired` for `gtd`, else `cancelled`, also where part of it filled. What a closed order did not fill is `qty` less `filledQty`; its `remaining` is 0 (CID-2, DET-4).',
      errors: ['unknownSymbol', 'historyUnavailable'],
    },
  ],
  [
    'GET /v1/orders/{orderId}',
    {
      id: 'orderById',
      tag: 'Account',
      text: 'As the list shows it. Somebody else’s looks like one that does not exist (CID-2).',
      errors: ['unknownOrder', 'historyUnavailable'],
    },
  ],
  [
    'GET /v1/orders/client/{clientId}',
    {
      id: 'orderByClientId',
      tag: 'Account',
      text: 'Several orders may have had the same client id, one after the other: the newest is answered (CID-1, CID-2).',
      errors: ['unknownOrder', 'historyUnavailable'],
    },
  ],
  [
    'GET /v1/statement',
    {
      id: 'statement',
      tag: 'Account',
      text: 'Paper capital, deposits, trades with their fees, settlements, liquidations and withdrawals between `from` and `to`, in Unix milliseconds, the end exclusive; of what is still to come it has nothing, and a `from` past `to` is malformed. Amounts in dollars: `openingBalance` and the changes of the rows sum to `closingBalance`, which without `to` is the account’s cash. `next` goes on where an answer was full. `format=csv` answers a table, and so does an `accept` that prefers `text/csv`.',
      errors: ['historyUnavailable'],
    },
  ],
  [
    'GET /v1/margin',
    {
      id: 'marginReport',
      tag: 'Account',
      text: 'Line by line what `locked` is made of. Margin of a short contract is `premium + max(shock x spot - OTM, floor x strike)`, with a shock of 20 % and a floor of 10 % to open, 12 % and 6 % to keep (MAR-1).',
    },
  ],
  [
    'POST /v1/order/preview',
    {
      id: 'previewOrder',
      tag: 'Trading',
      text: 'Runs the checks and the matching of an order, or of a combo with `type` `combo` (CMB-3), on a copy. One that would be declined is a 200 with `status` `rejected`: it was the preview that was asked for. Does not count against the limit of orders.',
      explains: [{ schema: OrderPreviewRequestSchema, has: [] }],
    },
  ],
  [
    'POST /v1/simulate',
    {
      id: 'simulate',
      tag: 'Account',
      text: 'The account as if `legs` had been filled in order, each at its `price` or else at the mark, and then every spot and volatility had moved. Nothing is checked against the account: a negative `buyingPower` is the answer. No fees are taken, and resting orders stay. A leg that no order could be is refused with its place and an order’s reason, as in `legs[0]: series expired`. `curves` are profit and loss on each underlying since its positions were opened, at 41 prices around the imagined spot: `now` by Black-76, at each expiry by the payoff of what has expired by then, as if settled at the same price, and by Black-76 for the rest. The volatility of a series is the one that its mark implies, else the newest annotated one; without either it counts with its payoff. Simulations are worked out one at a time, one of every account before a second of any; an account that has hundreds waiting is refused (CMB-4).',
      errors: ['tooManySimulations'],
      fieldErrors: SIMULATED_LEG_ERRORS,
    },
  ],
  [
    'POST /v1/order',
    {
      id: 'order',
      tag: 'Trading',
      text: 'Quantities in contracts, prices in dollars, both decimals exact to a millionth (NUM-2); the signed text has them as integer micros. Without `price` it is a market order, whose unfilled rest is cancelled; `0` is a limit price and rejected (ORD-5). The first check that fails answers (ORD-1). A 400 with `status` was well formed and declined, one with `error` was not. Never repeat an order blindly after a timeout: read `/v1/me` and `/v1/fills` first.',
      errors: ['fieldHasNewline', 'badQty', 'badPrice'],
      answers: { 200: OrderAcceptedSchema, 400: OrderRejectedSchema },
    },
  ],
  [
    'POST /v1/batch',
    {
      id: 'batch',
      tag: 'Trading',
      text: 'Up to 64 actions under one signature, carried out in order as one entry of the log, each on the state that the one before left. A declined action changes nothing and stops no other: look at each of the `results`. The signed text has a line for each action, with defaults written out and amounts in micros, and the id of `GET /v1/venue` (BAT-1). One malformed action refuses the whole batch, and nothing happens; its fault is named as in `actions[2].qty malformed`. With `prefer: return=minimal` the answer has no `account`. After a lost answer send the same bytes again while the nonce is in its window: they count once. `nonce already used` says that they never will be carried out (again), not that they were, as another program with the same key may have used it: look orders up by `clientId`, and everything else by what the account shows (CID-1).',
      errors: ['tooManyActions', 'notYetUpgraded'],
    },
  ],
  [
    'POST /v1/quote-sets/{set}',
    {
      id: 'pushQuotes',
      tag: 'Trading',
      text: 'Sets where the ladders of a quote set, 1 to 16, stand: all rows in one entry of the log. `{quotes: [{seriesId, bids, asks, iv, delta}]}` names series, `{rows: [[sid, bids, asks, iv, delta]]}` their short numbers, and bytes (`application/x-venue-quotes`) are answered in bytes; up to 8,192 rows, levels best first, `null` or nothing for a side that stays. A level that would trade on arrival is left out. Signed by headers over `Venue quotes v1` with the SHA-256 of the body’s bytes as sent, so no content encoding; a nonce not above those of the set’s last push and `protect`, and of the account’s last cancel in whose scope its underlying lay, or not after the deadline of its last guard that fired, is a `stale push`, and `lastNonce` says what stood in the way (QTS-1). A faulty row stops no other and is in `rowErrors`, of which the first 20 are shown. `protect` of `POST /v1/batch` makes the set and limits what may trade before all its quotes leave and it is frozen (QTS-2, QTS-3). What buying power does not cover is refused whole, with the reason of an order (QTS-4).',
      errors: ['unknownSet', 'stalePush', 'setFrozen', 'tooManyRows', 'notYetUpgraded'],
    },
  ],
  [
    'GET /v1/quote-sets',
    {
      id: 'quoteSets',
      tag: 'Account',
      text: 'What each set may trade, what of it is used, and until when a frozen one refuses pushes (QTS-5). Quotes are no orders: no other list has them.',
    },
  ],
  [
    'POST /v1/order/cancel',
    {
      id: 'cancelOrder',
      tag: 'Trading',
      text: 'An order that does not rest, or is somebody else’s, gives `ok: false`, which is no error (ORD-12).',
    },
  ],
  [
    'POST /v1/cancel',
    {
      id: 'cancel',
      tag: 'Trading',
      text: 'Every resting order of the account, or those in the underlyings of `symbols` or `symbol`. The scope is signed, in upper case and sorted. `ok: false` when nothing matched, which is no error (ORD-9, ORD-10).',
      errors: CANCELS,
    },
  ],
  [
    'POST /v1/margin',
    {
      id: 'setMargin',
      tag: 'Trading',
      text: 'Off by default. On, the account may open shorts, and nothing else changes (ACC-3).',
      errors: ['marginShortExposure'],
    },
  ],
  [
    'POST /v1/withdraw',
    {
      id: 'withdraw',
      tag: 'Custody',
      text: 'Takes dollars, exact to a millionth, out of the account at once and asks for their payout to the account’s own wallet. The gate is buying power less what was asked for before; at most 16 may be outstanding (PAY-2, SIG-3).',
      errors: ['amountNotPositive', 'tooManyWithdrawals', 'accountFrozen'],
    },
  ],
  [
    'GET /v1/withdraw/{id}',
    {
      id: 'withdrawal',
      tag: 'Custody',
      text: '`committed` means that the wallet may claim it from the vault, by `txHash`. Somebody else’s looks like one that does not exist (PAY-1).',
      errors: ['unknownWithdrawal'],
    },
  ],
  [
    'GET /v1/withdrawals',
    { id: 'withdrawals', tag: 'Custody', text: 'The account’s own, newest first (PAY-1).' },
  ],
  [
    'GET /v1/reserves',
    {
      id: 'reserves',
      tag: 'Custody',
      text: 'In dollars. `cashTotalUsd + pendingWithdrawalsUsd` may not exceed what the vault holds less what it has committed; held deposits count as owed (RES-1). The market maker’s account is not in it (HOUSE-1); `houseCashUsd` is the cash of house, maker and fees. Less than `uncollectibleUsd`, they have lost more than they were funded with, and a checker lets gains be paid only once a person has looked (CUS-18). All of it is the exchange’s word: nothing in it is signed.',
    },
  ],
  [
    'POST /v1/debug/envelope',
    {
      id: 'explainEnvelope',
      tag: 'Help',
      text: 'Takes the very body of a signed request (order, cancel, batch, margin, withdrawal, approval, revocation) and says which text the service rebuilt from it and whose key signed that. Changes nothing and spends no nonce.',
      errors: [
        'signatureFieldsRequired',
        'unknownSessionKey',
        'sessionExpired',
        'notYourSessionKey',
        'badQty',
        'badPrice',
        'amountNotPositive',
        ...CANCELS,
      ],
      explains: [
        { schema: OrderRequestSchema, has: ['seriesId'] },
        { schema: CancelOrderRequestSchema, has: ['orderId'] },
        { schema: MarginRequestSchema, has: ['enabled'] },
        { schema: WithdrawRequestSchema, has: ['amountUsd'] },
        { schema: CancelRequestSchema, has: [] },
        { schema: SessionRequestSchema, has: ['address', 'expiresAt'] },
        { schema: SessionRevokeRequestSchema, has: ['address'] },
      ],
    },
  ],
]);
