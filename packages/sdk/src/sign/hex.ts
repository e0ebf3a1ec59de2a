/** Bytes as text. */

import type { Hex } from '@venue/protocol';

/** `0x` and two hex digits per byte. */
export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
