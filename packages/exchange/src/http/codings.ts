/** The codings in which a client accepts answers. */

export type Coding = 'br' | 'gzip';

/** Each part ends where the next begins: a header that could be split in many ways would hold the event loop. */
const WEIGHT_ABOVE_ZERO = String.raw`(?:\s*;\s*q=(?:1(?:\.0*)?|0?\.0*[1-9]\d*))?`;
const TAKEN: Readonly<Record<Coding, RegExp>> = {
  br: new RegExp(`(?:^|[\\s,])br${WEIGHT_ABOVE_ZERO}\\s*(?:,|$)`, 'i'),
  gzip: new RegExp(`(?:^|[\\s,])gzip${WEIGHT_ABOVE_ZERO}\\s*(?:,|$)`, 'i'),
};

/** Returns true if a client with this `accept-encoding` accepts the coding. */
export function takes(coding: Coding, acceptEncoding: string | readonly string[] | undefined): boolean {
  return acceptEncoding !== undefined && TAKEN[coding].test(String(acceptEncoding));
}
