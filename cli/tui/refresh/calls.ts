import { BackofficeError } from '../../../src/contract/errors.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { type OperationId, type OutputOf, operationOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { isNotConnected, isSignedOut, sentenceOf } from '../../failures.ts';
import type { RunningEntry } from '../log/session-log.ts';
import type { ConnectionWatch } from './connection.ts';
import type { Notifier } from './notifier.ts';

/** The advice comes first, as a narrow terminal cuts the end. */
const signInAgain = 'Quit and run `backoffice login`: the token is no longer valid.';

export interface GuardedCallOptions {
  readonly access: Pick<Access, 'call'>;
  /** Returns why changes are refused, in a sentence; undefined if they are not. */
  readonly refusal: () => string | undefined;
  /** Runs when the service does not allow a call, after which other calls may not be allowed either. */
  readonly onForbidden: () => void;
  readonly connection: Pick<ConnectionWatch, 'succeeded' | 'failed'>;
  /** Records that a change starts. */
  readonly record: (id: OperationId, input: unknown) => RunningEntry;
  readonly notifier: Pick<Notifier, 'created'>;
}

/** Returns calls that report the state of the connection, record changes, and refuse them if the dashboard is read-only. */
export function createCalls({
  access,
  refusal,
  onForbidden,
  connection,
  record,
  notifier,
}: GuardedCallOptions): Access['call'] {
  return async (id, input) => {
    const isChange = (operationOf(id) as Operation).method !== 'GET';
    const refused = isChange ? refusal() : undefined;
    if (refused !== undefined) throw new Error(refused);
    const entry = isChange ? record(id, input) : undefined;
    try {
      const output = await access.call(id, input);
      connection.succeeded();
      entry?.succeeded(output);
      const created = createdId(id, output);
      if (created !== undefined) notifier.created(created);
      return output;
    } catch (error) {
      entry?.failed(sentenceOf(error));
      if (isNotConnected(error)) connection.failed(sentenceOf(error));
      // The rows on the screen grow old: no call is answered until there is another token.
      else if (isSignedOut(error)) connection.failed(signInAgain, 'Signed out');
      else connection.succeeded();
      if (error instanceof BackofficeError && error.code === 'forbidden') onForbidden();
      throw error;
    }
  };
}

/** Returns the id of the issue or the conversation that an operation has created. */
function createdId(operation: string, output: unknown): string | number | undefined {
  if (operation === 'issues.create') return (output as OutputOf<'issues.create'>).id;
  if (operation !== 'conversations.create') return undefined;
  return (output as OutputOf<'conversations.create'>).conversation.id;
}
