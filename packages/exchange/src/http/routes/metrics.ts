/** The metrics of a node. */

import { String as Text } from 'typebox';
import { Content, METRICS_PATH, type Route, route } from '../route.ts';
import type { Services } from '../services.ts';

export function metricsRoutes({ metrics }: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: METRICS_PATH,
      access: 'local',
      answer: Text(),
      contract: {
        excluded: 'for those who watch over a node: from its own machine, or with the token for metrics',
      },
      handle: async () => new Content(metrics.contentType, await metrics.text()),
    }),
  ];
}
