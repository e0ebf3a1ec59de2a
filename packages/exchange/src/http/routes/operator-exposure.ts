/** The greatest losses that accounts and expiries face, for operators (OPS-1). */

import { ExposureReportSchema } from '@venue/protocol/wire';
import { ExposureReports } from '../../views/exposure.ts';
import { type Route, route } from '../route.ts';
import type { Services } from '../services.ts';

export function operatorExposureRoutes({ state, now }: Pick<Services, 'state' | 'now'>): Route[] {
  const reports = new ExposureReports(state, now);
  return [
    route({
      method: 'GET',
      path: '/v1/operator/exposure',
      access: 'operator',
      role: 'read',
      answer: ExposureReportSchema,
      contract: { excluded: 'called by operators alone, with a secret of theirs' },
      handle: () => reports.read(),
    }),
  ];
}
