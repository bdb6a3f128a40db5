import { BackofficeError } from '../../../src/contract/errors.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { operationOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { isNotConnected, sentenceOf } from '../../failures.ts';
import type { ConnectionWatch } from './connection.ts';

export interface GuardedCallOptions {
  readonly access: Pick<Access, 'call'>;
  /** Returns why changes are refused, in a sentence; undefined if they are not. */
  readonly refusal: () => string | undefined;
  /** Runs when the service does not allow a call, after which other calls may not be allowed either. */
  readonly onForbidden: () => void;
  readonly connection: Pick<ConnectionWatch, 'succeeded' | 'failed'>;
}

/** Returns calls that report the state of the connection, and that refuse changes if the dashboard is read-only. */
export function createCalls({
  access,
  refusal,
  onForbidden,
  connection,
}: GuardedCallOptions): Access['call'] {
  return async (id, input) => {
    const refused = (operationOf(id) as Operation).method === 'GET' ? undefined : refusal();
    if (refused !== undefined) throw new Error(refused);
    try {
      const output = await access.call(id, input);
      connection.succeeded();
      return output;
    } catch (error) {
      if (isNotConnected(error)) connection.failed(sentenceOf(error));
      else connection.succeeded();
      if (error instanceof BackofficeError && error.code === 'forbidden') onForbidden();
      throw error;
    }
  };
}
