/** The table of all routes. */

import type { FundingMode } from '@venue/engine';
import type { Route } from '../route.ts';
import type { Services } from '../services.ts';
import { accountRoutes } from './account.ts';
import { analyticsRoutes } from './analytics.ts';
import { authRoutes } from './auth.ts';
import { batchRoutes } from './batch.ts';
import { contractWalletRoutes } from './contract-wallets.ts';
import { custodyRoutes } from './custody.ts';
import { debugRoutes } from './debug.ts';
import { docsRoutes } from './docs.ts';
import { feedRoutes } from './feed.ts';
import { fileRoutes } from './files.ts';
import { healthRoutes } from './health.ts';
import { marginRoutes } from './margin.ts';
import { marketRoutes } from './market.ts';
import { marketHistoryRoutes } from './market-history.ts';
import { metricsRoutes } from './metrics.ts';
import { operatorRoutes } from './operator.ts';
import { operatorCustodyRoutes } from './operator-custody.ts';
import { operatorExposureRoutes } from './operator-exposure.ts';
import { operatorRepairRoutes } from './operator-repairs.ts';
import { orderRoutes } from './orders.ts';
import { orderLookupRoutes } from './orders-lookup.ts';
import { quoteSetRoutes } from './quote-sets.ts';
import { quoteRoutes } from './quotes.ts';
import { reasonRoutes } from './reasons.ts';
import { simulateRoutes } from './simulate.ts';
import { type TerminalFiles, terminalRoutes } from './terminal.ts';
import { venueRoutes } from './venue.ts';

/** The routes of a venue in one funding mode, with or without a terminal. */
export function routesOf(
  services: Services,
  fundingMode: FundingMode,
  terminal: TerminalFiles | null = null,
): Route[] {
  const all: Route[] = [
    ...healthRoutes(services, fundingMode),
    ...venueRoutes(services),
    ...reasonRoutes(services, () => all),
    ...marketRoutes(services),
    ...marketHistoryRoutes(services),
    ...analyticsRoutes(services),
    ...authRoutes(services),
    ...contractWalletRoutes(services),
    ...accountRoutes(services),
    ...orderRoutes(services),
    ...batchRoutes(services),
    ...orderLookupRoutes(services),
    ...marginRoutes(services),
    ...simulateRoutes(services),
    ...quoteRoutes(services),
    ...quoteSetRoutes(services),
    ...feedRoutes(services),
    ...operatorRoutes(services),
    ...operatorExposureRoutes(services),
    ...custodyRoutes(services),
    ...operatorCustodyRoutes(services),
    ...operatorRepairRoutes(services),
    ...metricsRoutes(services),
    ...debugRoutes(services),
    ...docsRoutes(),
    ...fileRoutes(services),
    ...terminalRoutes(terminal),
  ];
  return all.filter(({ modes }) => modes === undefined || modes.includes(fundingMode));
}
