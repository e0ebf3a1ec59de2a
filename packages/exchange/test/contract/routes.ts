/** The route table of a venue with real money, which has every route, for use as data. */

import type { Route } from '../../src/http/route.ts';
import { routesOf } from '../../src/http/routes/index.ts';
import type { Services } from '../../src/http/services.ts';

/** The services behind the routes are never used. */
export function allRoutes(): Route[] {
  return routesOf({} as Services, 'deposits');
}

export function documentedRoutes(): Route[] {
  return allRoutes().filter(({ contract }) => 'summary' in contract);
}
