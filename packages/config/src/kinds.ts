/** Kinds of variable: how to parse a text, and how to describe a text that is refused. */

import { type Address, parseAddress } from '@venue/protocol/address';
import { isHeaderText, venueUrlFault } from '@venue/protocol/endpoint';
import { SYMBOL } from '@venue/protocol/series';
import { decimalToMicros, type Micros } from '@venue/protocol/units';
import { type NamedOperator, readOperators } from './operators.ts';

export interface Kind<T> {
  /** Describes valid texts; follows "must be" in messages and in docs/reference/environment.md. */
  readonly allowed: string;
  /** The unit of a number, unless `allowed` names it. */
  readonly unit?: string;
  /** Parses a text that is not empty. */
  readonly parse: (text: string) => T | Fault;
}

/** Why a text is refused; the sentence continues the variable's name. */
export class Fault {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** A kind whose refused texts may be shown. */
function shown<T>(allowed: string, parse: (text: string) => T | undefined): Kind<T> {
  return {
    allowed,
    parse: (text) => parse(text) ?? new Fault(`must be ${allowed}, not ${JSON.stringify(text)}`),
  };
}

/** A kind whose texts may contain a secret and are never shown. */
function hidden<T>(allowed: string, parse: (text: string) => T | undefined): Kind<T> {
  return { allowed, parse: (text) => parse(text) ?? new Fault(`must be ${allowed}`) };
}

/** Any text; `allowed` describes its purpose. */
export function text(allowed: string): Kind<string> {
  return shown(allowed, (value) => value);
}

/** Like `text`, for texts that may contain a secret. */
export function hiddenText(allowed: string): Kind<string> {
  return hidden(allowed, (value) => value);
}

/** Decimal digits only: no sign, exponent or space. */
export function integer(min: number, max: number): Kind<number> {
  return shown(`an integer from ${min} to ${max}`, (digits) => {
    const value = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

/** Like `integer`, in milliseconds. */
export function milliseconds(min: number, max: number): Kind<number> {
  return { ...integer(min, max), unit: 'ms' };
}

/** Like `integer`, in hundredths of a percent. */
export function basisPoints(min: number, max: number): Kind<number> {
  return { ...integer(min, max), unit: 'basis points' };
}

/** US dollars with up to six decimals. */
export function dollars(max: number): Kind<Micros> {
  return shown(`an amount in US dollars from 0 to ${max}`, (digits) => {
    const isExact = /^\d{1,10}(\.\d{1,6})?$/.test(digits) && Number(digits) <= max;
    return isExact ? decimalToMicros(Number(digits)) : undefined;
  });
}

/** A fraction such as 0.05. */
export function share(): Kind<number> {
  return shown('a decimal from 0 to 1', (digits) => {
    const value = /^[01](\.\d{1,6})?$/.test(digits) ? Number(digits) : -1;
    return value >= 0 && value <= 1 ? value : undefined;
  });
}

export function oneOf<const T extends string>(...choices: readonly T[]): Kind<T> {
  return shown(choices.join(' or '), (value) => choices.find((choice) => choice === value));
}

export function flag(): Kind<boolean> {
  return shown('0 or 1', (value) => (value === '0' || value === '1' ? value === '1' : undefined));
}

/** A secret that is sent in a header (CRED-1). */
export const SECRET: Kind<string> = hidden('ASCII without spaces', (value) =>
  isHeaderText(value) ? value : undefined,
);

/** Operators with names; a refused text is described by its line alone (OPS-2). */
export const OPERATORS: Kind<readonly NamedOperator[]> = {
  allowed: 'lines of name, roles and hashes, as `venue operators` writes them',
  parse: (text) => {
    const operators = readOperators(text);
    if (typeof operators === 'string')
      return new Fault(`must be lines of name, roles and hashes: ${operators}`);
    return operators.length > 0 ? operators : new Fault('must name an operator');
  },
};

/** The SHA-256 of a secret, in lower case. */
export const SECRET_HASH: Kind<string> = shown('64 hex digits', (value) =>
  /^[0-9a-fA-F]{64}$/.test(value) ? value.toLowerCase() : undefined,
);

/** A secret of at least `lengthMin` characters that never leaves its process. */
export function sealedSecret(lengthMin: number): Kind<string> {
  return {
    allowed: `at least ${lengthMin} characters`,
    parse: (value) =>
      value.length < lengthMin ? new Fault(`must have at least ${lengthMin} characters`) : value,
  };
}

/** A private key; the signing code checks that it is in the curve's range. */
export const PRIVATE_KEY: Kind<`0x${string}`> = hidden('a private key: 0x and 64 hex digits', (value) =>
  /^0x[0-9a-fA-F]{64}$/.test(value) ? (value as `0x${string}`) : undefined,
);

/** A private key, and the underlying that its account quotes; null if it is for none in particular. */
export interface OwnKey {
  readonly symbol: string | null;
  readonly key: `0x${string}`;
}

/** A private key, or one for each of several underlyings; a key serves one account, and an underlying has one. */
export const OWN_KEYS: Kind<readonly OwnKey[]> = hidden(
  'a private key of 0x and 64 hex digits, or several like BTC=0x… with commas between them, each once',
  (value) => {
    const keys = eachOnce(entriesOf(value).map(ownKey), ({ key }) => key.toLowerCase());
    return eachOnce(keys ?? [], ({ symbol }) => symbol ?? '') === undefined || !keys?.length
      ? undefined
      : keys;
  },
);

function ownKey(entry: string): OwnKey | undefined {
  const [, symbol = null, key = ''] = /^(?:([A-Z0-9]+)=)?(0x[0-9a-fA-F]{64})$/.exec(entry) ?? [];
  if (key === '' || (symbol !== null && !SYMBOL.test(symbol))) return undefined;
  return { symbol, key: key as OwnKey['key'] };
}

export const ADDRESS: Kind<Address> = shown('0x and 40 hex digits', parseAddress);

/** Addresses separated by commas, each once. */
export const ADDRESSES: Kind<readonly Address[]> = shown(
  'addresses of 0x and 40 hex digits, with commas between them, each once',
  (value) => eachOnce(entriesOf(value).map(parseAddress), (address) => address),
);

/** Like `ADDRESSES`, and no more than so many. */
export function addresses(max: number): Kind<readonly Address[]> {
  return shown(`up to ${max} ${ADDRESSES.allowed}`, (value) => {
    const found = ADDRESSES.parse(value);
    return found instanceof Fault || found.length > max ? undefined : found;
  });
}

/** The address of the exchange. One with a password in it is never shown. */
export const VENUE_URL: Kind<string> = {
  allowed: 'an http address without user and password',
  parse: (value) => {
    const fault = venueUrlFault(value);
    return fault === null ? value : new Fault(fault);
  },
};

/** An address that may contain a key and is never shown. */
export function hiddenUrl(scheme: 'http' | 'ws'): Kind<string> {
  return hidden(`${article(scheme)} address`, (value) => (isUrl(value, scheme) ? value : undefined));
}

/** Like `hiddenUrl`, for several addresses of which none is named twice. */
export function hiddenUrls(scheme: 'http' | 'ws'): Kind<readonly string[]> {
  const address = (value: string) => (isUrl(value, scheme) ? value : undefined);
  return hidden(`${article(scheme)} address, or several with commas between them, each once`, (value) => {
    const urls = eachOnce(entriesOf(value).map(address), (url) => new URL(url).href);
    return urls === undefined || urls.length === 0 ? undefined : urls;
  });
}

/** How many blocks lie on top of one that counts, or that the chain itself has to call it final. */
export function confirmations(max: number): Kind<number | 'finalized'> {
  const blocks = integer(1, max);
  return shown(`${blocks.allowed}, or finalized`, (value) => {
    const count = blocks.parse(value);
    return value === 'finalized' ? value : count instanceof Fault ? undefined : count;
  });
}

function article(scheme: 'http' | 'ws'): string {
  return scheme === 'http' ? 'an http' : 'a ws';
}

function isUrl(value: string, scheme: 'http' | 'ws'): boolean {
  return new RegExp(`^${scheme}s?:$`).test(URL.parse(value)?.protocol ?? '');
}

const ASSET_CLASSES = ['crypto', 'equity', 'index'] as const;
/** The asset class of an underlying. */
export type AssetClass = (typeof ASSET_CLASSES)[number];

export interface ListedSymbol {
  readonly symbol: string;
  readonly assetClass: AssetClass;
}

/** Underlyings with their asset classes, each listed once. */
export const SYMBOLS: Kind<readonly ListedSymbol[]> = shown(
  'a list like AAPL:equity,SPX:index,BTC:crypto with each symbol once',
  (value) => eachOnce(value.split(',').map(listedSymbol), ({ symbol }) => symbol),
);

function listedSymbol(entry: string): ListedSymbol | undefined {
  const [symbol = '', name, ...rest] = entry.trim().split(':');
  const assetClass = ASSET_CLASSES.find((known) => known === name);
  return rest.length === 0 && SYMBOL.test(symbol) && assetClass !== undefined
    ? { symbol, assetClass }
    : undefined;
}

/** Sequence numbers of log entries. */
export const SEQUENCE_NUMBERS: Kind<ReadonlySet<number>> = shown(
  'sequence numbers separated by commas',
  (value) => {
    const items = value.split(',').filter((item) => item !== '');
    return items.every((item) => /^[1-9]\d{0,14}$/.test(item)) ? new Set(items.map(Number)) : undefined;
  },
);

/** The position of a log on the chain. */
export interface ChainLog {
  readonly txHash: `0x${string}`;
  readonly logIndex: number;
}

export const CHAIN_LOGS: Kind<readonly ChainLog[]> = shown(
  'a list like 0x…:3, of transaction hash and log index',
  (value) => every(entriesOf(value).map(chainLog)),
);

const SEEN_ONE =
  /^((entry|payout):[1-9]\d{0,15}|(operation|guardians):0x[0-9a-f]{64}|proposer:0x[0-9a-f]{40})$/;

/** Objects that a person has looked at, each as its kind and its number or id. */
export const SEEN: Kind<ReadonlySet<string>> = shown(
  'a list of entry:5, payout:17, proposer:0x… (an address), guardians:0x… and operation:0x… (64 hex digits)',
  (value) => {
    const names = every(
      entriesOf(value.toLowerCase()).map((name) => (SEEN_ONE.test(name) ? name : undefined)),
    );
    return names && new Set(names);
  },
);

function chainLog(entry: string): ChainLog | undefined {
  const [hash = '', index = '', ...rest] = entry.split(':');
  const isOne = /^0x[0-9a-fA-F]{64}$/.test(hash) && /^\d{1,9}$/.test(index) && rest.length === 0;
  return isOne ? { txHash: hash.toLowerCase() as `0x${string}`, logIndex: Number(index) } : undefined;
}

/** One value for each symbol, as `BTC=…,ETH=…`. */
export function bySymbol<T>(
  example: string,
  read: (text: string) => T | undefined,
): Kind<ReadonlyMap<string, T>> {
  return shown(`a list like ${example} with each symbol once`, (value) => {
    const rows = entriesOf(value).map((entry): readonly [string, T] | undefined => {
      const [symbol = '', described = '', ...rest] = entry.split('=');
      const found = symbol === '' || rest.length > 0 ? undefined : read(described);
      return found === undefined ? undefined : [symbol, found];
    });
    const pairs = eachOnce(rows, ([symbol]) => symbol);
    return pairs && new Map(pairs);
  });
}

/** The name of a pair at an upstream source. */
export function pair(value: string): string | undefined {
  return /^[A-Z0-9]{1,16}\/[A-Z0-9]{1,16}$/.test(value) ? value : undefined;
}

/** Ids of price feeds joined by plus signs; lower case, without 0x. */
export function feedIds(value: string): readonly string[] | undefined {
  const ids = value.split('+');
  return ids.every((id) => /^(0x)?[0-9a-fA-F]{64}$/.test(id))
    ? ids.map((id) => id.replace(/^0x/, '').toLowerCase())
    : undefined;
}

/** Not an IPv4 address, whose last part is a number. */
const HOST = /^(?=.{1,253}$)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;

/** Push services: names of hosts, which stand for those below them too, or whole origins. */
export const PUSH_SERVICES: Kind<readonly string[]> = shown(
  'names of hosts, or addresses like https://push.example:8443, with commas between them, each once',
  (value) => eachOnce(entriesOf(value).map(pushService), (name) => name),
);

function pushService(entry: string): string | undefined {
  const name = entry.toLowerCase();
  if (HOST.test(name)) return name;
  const origin = URL.parse(name)?.origin;
  return name.startsWith('https://') && origin === name ? origin : undefined;
}

/** Whom a push service writes to about a sender (RFC 8292); Apple's refuses every message of one that it cannot reach. */
export const CONTACT: Kind<string> = shown(
  'an address of mail that begins with mailto:, or a URL that begins with https://, of a host on the internet',
  (value) => {
    const [, host] = /^mailto:[^@\s]+@(\S+)$/.exec(value) ?? [];
    const name =
      host?.toLowerCase() ?? (/^https:\/\/\S+$/.test(value) ? URL.parse(value)?.hostname : undefined);
    return name !== undefined && HOST.test(name) && !/\.(?:localhost|local)$/.test(name) ? value : undefined;
  },
);

/** A private key of VAPID: 32 bytes in base64url. */
export const PUSH_KEY: Kind<string> = hidden('a key that `venue push keys` made', (value) =>
  /^[\w-]{43}$/.test(value) ? value : undefined,
);

function entriesOf(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function every<T>(items: readonly (T | undefined)[]): readonly T[] | undefined {
  return items.every((item) => item !== undefined) ? items : undefined;
}

function eachOnce<T>(items: readonly (T | undefined)[], key: (item: T) => string): readonly T[] | undefined {
  const found = every(items);
  return found !== undefined && new Set(found.map(key)).size === found.length ? found : undefined;
}
