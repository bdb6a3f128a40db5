import { BackofficeError, type DocumentedError } from '../../contract/errors.ts';

/** Rejects the call with the error. Inside `context.change` the transaction is rolled back and nothing is recorded. */
export function refuse(error: DocumentedError): never {
  throw new BackofficeError(error);
}
