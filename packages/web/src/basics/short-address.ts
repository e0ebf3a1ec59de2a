/** @example shortAddress('0x52908400098527886e0f7030069857d2e4169ee7') // '0x5290…9ee7' */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
