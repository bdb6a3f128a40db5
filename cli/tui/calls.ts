import type { Operation } from '../../src/contract/operation.ts';
import { operationOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { isNotConnected, sentenceOf } from '../failures.ts';
import type { ConnectionWatch } from './connection.ts';

export const readOnlyRefusal = 'This dashboard is read-only: start it without --read-only to change data.';

export interface CallOptions {
  readonly access: Pick<Access, 'call'>;
  readonly readOnly: boolean;
  readonly link: Pick<ConnectionWatch, 'works' | 'failed'>;
}

/** Calls that tell whether there is a connection, and that change nothing where the dashboard is read-only. */
export function createCalls({ access, readOnly, link }: CallOptions): Access['call'] {
  return async (id, input) => {
    if (readOnly && (operationOf(id) as Operation).method !== 'GET') throw new Error(readOnlyRefusal);
    try {
      const output = await access.call(id, input);
      link.works();
      return output;
    } catch (error) {
      if (isNotConnected(error)) link.failed(sentenceOf(error));
      else link.works();
      throw error;
    }
  };
}
