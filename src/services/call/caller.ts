import { type Actor, actorKey } from './actor.ts';
import { networkOf } from './networks.ts';

/**
 * Returns the caller of a call, whose share of the service is limited. All sessions of an account are one caller, and all
 * callers of one network who are nobody.
 */
export function callerOf(actor: Pick<Actor, 'kind' | 'id'>, address: string): string {
  return actor.kind === 'nobody' ? `network ${networkOf(address)}` : actorKey(actor);
}
