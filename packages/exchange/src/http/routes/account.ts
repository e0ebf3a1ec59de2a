/** What the holder of a token reads of the own account. */

import { AccountSchema, FillListSchema } from '@venue/protocol/wire';
import { accountOf, type Services } from '../../services.ts';
import { fillView } from '../../views/fills.ts';
import { type Route, route } from '../route.ts';

export function accountRoutes(services: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/me',
      access: 'bearer',
      answer: AccountSchema,
      contract: { summary: 'The account' },
      handle: ({ bearer }) => services.accountPages.json(services.state, accountOf(services, bearer!)),
    }),
    route({
      method: 'GET',
      path: '/v1/fills',
      access: 'bearer',
      answer: FillListSchema,
      contract: { summary: 'The newest 500 fills of the account, newest first' },
      handle: ({ bearer }) => ({ fills: accountOf(services, bearer!).fills.toReversed().map(fillView) }),
    }),
  ];
}
