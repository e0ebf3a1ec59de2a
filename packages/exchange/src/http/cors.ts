/** Any web page may call the service: there are no cookies, so a page can use only the tokens it was given (HTTP-1). */

/** The code of a refusal (ERR-1). */
export const CODE_HEADER = 'x-venue-code';

export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers':
    'content-type, x-paper-token, authorization, prefer, x-session-key, x-nonce, x-signature, x-venue-after',
  'access-control-expose-headers': `x-venue-seq, x-request-id, preference-applied, ${CODE_HEADER}`,
  'access-control-max-age': '86400',
} as const;
