/** Acts of operators by hand, submitted with their names (OPS-2). */

import type { IncomingHttpHeaders } from 'node:http';
import type { Command, OperatorCommand } from '@venue/engine';
import type { Shown } from './route.ts';
import { type Accepted, type Services, submit } from './services.ts';

type Knowing = Pick<Services, 'credentials' | 'state'>;

/** Submits a command that an operator's secret admitted, like `submit`. */
export function submitByHand<C extends OperatorCommand, T>(
  services: Knowing & Pick<Services, 'sequencer'>,
  headers: IncomingHttpHeaders,
  command: C,
  render: (outcome: Accepted<C>, ts: number) => T,
): Promise<Shown<T>> {
  return submit(services, named(services, headers, command), render);
}

function named<C extends Command>({ credentials }: Knowing, headers: IncomingHttpHeaders, command: C): C {
  const by = credentials.operatorOf(headers)?.name;
  return by === undefined ? command : { ...command, by };
}

/** Who asks for what takes two people: the settlement secrets that a request carries, or else whose own it is (CUS-10). */
export interface Asking {
  readonly secrets: readonly [boolean, boolean];
  readonly by?: string;
}

/** Two names are two people only where the log has them. */
export function askingOf({ credentials }: Knowing, headers: IncomingHttpHeaders): Asking {
  const caller = credentials.showsSettleSecret(headers) ? null : credentials.operatorOf(headers);
  if (caller !== null) return { secrets: [caller.roles.has('settle'), false], by: caller.name };
  return { secrets: [credentials.holds('settle1', headers), credentials.holds('settle2', headers)] };
}
