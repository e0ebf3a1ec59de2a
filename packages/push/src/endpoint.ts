/** Decides where messages may be sent: browsers supply the address, and none may lead to a private network (PUSH-4). */

import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { BlockList, isIP, isIPv4 } from 'node:net';

const ENDPOINT_LENGTH_MAX = 1_024;
const HTTPS = 'https:';

/** An address at which a push service takes messages, and how its name may be resolved. */
export interface Endpoint {
  readonly url: URL;
  /** False for a service that the operator named by its address, which may be anywhere. */
  readonly isPublic: boolean;
}

/**
 * Parses an endpoint; null if it belongs to none of the services. A service that is a host covers its subdomains, at the
 * standard port; one that is an origin covers only itself. User, password and fragment are refused.
 *
 * @example endpointOf('https://fcm.googleapis.com/fcm/send/abc', ['fcm.googleapis.com'])?.isPublic // true
 */
export function endpointOf(text: string, services: readonly string[]): Endpoint | null {
  const url = text.length > ENDPOINT_LENGTH_MAX ? null : URL.parse(text);
  if (url === null || url.protocol !== HTTPS || url.username + url.password + url.hash !== '') return null;
  if (services.includes(url.origin)) return { url, isPublic: false };
  const { hostname } = url;
  // A connection to an IP address resolves no name, so the lookup below would never see it.
  if (url.port !== '' || isIP(hostname) !== 0) return null;
  const isKnown = services.some((name) => hostname === name || hostname.endsWith(`.${name}`));
  return isKnown ? { url, isPublic: true } : null;
}

type Range = readonly [net: string, bits: number];

/** Not on the public internet: this machine, private networks, reserved ranges and multicast. */
const INSIDE_V4 = rangesOf('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);
/** Only 2000::/3 is public, and some ranges within it are reserved or carry IPv4 addresses. */
const INSIDE_V6 = rangesOf('ipv6', [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** One list per family: in a shared one, `::/3` would match every IPv4 address. */
function rangesOf(family: 'ipv4' | 'ipv6', ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [net, bits] of ranges) list.addSubnet(net, bits, family);
  return list;
}

/** True for an address that is not on the public internet. */
export function isInside(address: string): boolean {
  return isIPv4(address) ? INSIDE_V4.check(address, 'ipv4') : INSIDE_V6.check(address, 'ipv6');
}

/** A push service's name resolved to an address that is not on the public internet. */
export class InsideError extends Error {
  override readonly name = 'InsideError';
}

export type LookupAll = (
  host: string,
  options: { readonly all: true },
  done: (error: Error | null, found: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name for the connection itself, so that the address which was checked is the one connected to. A single
 * address inside is enough to refuse.
 */
export function publicLookup(resolve: LookupAll = lookup): LookupFunction {
  return (host, { all }, done) =>
    resolve(host, { all: true }, (error, found) => {
      const [first] = found ?? [];
      const fault = error ?? (first === undefined ? new Error('no address') : null);
      if (fault !== null) return done(fault, '');
      if (found.some(({ address }) => isInside(address)))
        return done(new InsideError('the name of the push service leads inside'), '');
      if (all) return done(null, found);
      done(null, first!.address, first!.family);
    });
}
