/** Limits of one connection to the channels (STR-1). */

export const CHANNELS_MAX = 512;
/** Also of a message that is compressed, once it is not. */
export const MESSAGE_BYTES_MAX = 65_536;
/** Messages that come in many pieces cost more than their bytes. */
export const PIECES_MAX = 256;
