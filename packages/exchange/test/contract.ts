/** The public contract as the code has it now. */

import { routesOf } from '../src/http/routes/index.ts';
import { type OpenApiDocument, openApiDocument } from '../src/openapi.ts';
import type { Services } from '../src/services.ts';

/** The document of a venue with real money, which has every route there is. The routes are read as data, so the services behind them are never touched. */
export function contractNow(): OpenApiDocument {
  return openApiDocument(routesOf({} as Services, 'deposits'));
}

export function contractText(): string {
  return `${JSON.stringify(contractNow(), null, 2)}\n`;
}
