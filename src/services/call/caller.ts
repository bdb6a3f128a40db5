import type { Caller } from '../../shared/waiting/fair-queue.ts';
import { type Actor, actorKey } from './actor.ts';
import { networkOf } from './networks.ts';

const maxRemembered = 10_000;

const networks = new Map<string, Caller>();
/** How many calls of accounts there were. */
let calls = 0;

/** Returns the caller of a request whose actor is not known, or who is nobody: all of one network share their part. */
export function callerAt(address: string): Caller {
  const known = networks.get(address);
  if (known !== undefined) return known;
  if (networks.size === maxRemembered) networks.clear();
  const caller = { key: `network ${networkOf(address)}` };
  networks.set(address, caller);
  return caller;
}

/** Returns the caller of a call, whose share is limited. All sessions of an account are one caller. */
export function callerOf(actor: Pick<Actor, 'kind' | 'id'>, address: string): Caller {
  return actor.kind === 'nobody' ? callerAt(address) : { key: actorKey(actor), call: ++calls };
}
