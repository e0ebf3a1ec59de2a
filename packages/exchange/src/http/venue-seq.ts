/** The header that names the entry which an answer shows; every answer carries it (VEN-2). */
export const SEQ_HEADER = 'x-venue-seq';
