import type { PlaceActionWire } from '@venue/protocol';

/** A `place` of a batch, without the id that the client gives it. */
export type TicketTerms = Omit<PlaceActionWire, 'type' | 'clientId' | 'stp'>;
