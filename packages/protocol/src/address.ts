/** Identity: an Ethereum address, always in lower case inside the venue. */

/** Bytes as `0x` and hex digits. */
export type Hex = `0x${string}`;

declare const address: unique symbol;
/** `0x` and 40 lower-case hex digits. */
export type Address = Hex & { readonly [address]: true };

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Parses and lowercases an address; undefined if the text is not one. Any case is accepted; checksums are not enforced.
 *
 * @example parseAddress('0xABCDEF0123456789abcdef0123456789ABCDEF01') // '0xabcdef0123456789abcdef0123456789abcdef01'
 */
export function parseAddress(text: string): Address | undefined {
  return ADDRESS.test(text) ? (text.toLowerCase() as Address) : undefined;
}
