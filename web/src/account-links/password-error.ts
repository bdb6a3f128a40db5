import { ResponseError } from '../../../src/contract/client/typed-client.ts';

/** Returns what the service says about a new password, for its field; nothing if the error is about something else. */
export function passwordErrorOf(error: Error): { readonly password?: string } {
  return error instanceof ResponseError && error.param === 'password' ? { password: error.message } : {};
}
