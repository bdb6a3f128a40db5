import type { OutputOf } from '../../../src/contract/registry.ts';
import type { App } from '../state/app.ts';

/** The account that the dashboard acts as. */
export type Me = OutputOf<'session.show'>['admin'];

/** Returns the account that the dashboard acts as, or null if it acts as an operator or as a token without an owner. */
export async function readMe(app: Pick<App, 'call'>): Promise<Me> {
  return (await app.call('session.show')).admin;
}
