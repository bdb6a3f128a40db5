import type { Operation } from '../../../src/contract/operation.ts';
import { operationOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { isNotConnected, sentenceOf } from '../../failures.ts';
import type { ConnectionWatch } from './connection.ts';

export const readOnlyRefusal = 'This dashboard is read-only. Start it without --read-only to make changes.';

export interface GuardedCallOptions {
  readonly access: Pick<Access, 'call'>;
  readonly readOnly: boolean;
  readonly connection: Pick<ConnectionWatch, 'succeeded' | 'failed'>;
}

/** Returns calls that report the state of the connection, and that refuse changes if the dashboard is read-only. */
export function createCalls({ access, readOnly, connection }: GuardedCallOptions): Access['call'] {
  return async (id, input) => {
    if (readOnly && (operationOf(id) as Operation).method !== 'GET') throw new Error(readOnlyRefusal);
    try {
      const output = await access.call(id, input);
      connection.succeeded();
      return output;
    } catch (error) {
      if (isNotConnected(error)) connection.failed(sentenceOf(error));
      else connection.succeeded();
      throw error;
    }
  };
}
