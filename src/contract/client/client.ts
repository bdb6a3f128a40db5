import { operationOf } from '../registry.ts';
import { routeOf } from '../route.ts';
import { type Client, type ClientOptions, createTypedClient } from './typed-client.ts';

export { type Client, type ClientOptions, ForeignAnswerError, ResponseError } from './typed-client.ts';

/** Creates a typed client of the API for programs that have loaded the registry. */
export function createClient(options: ClientOptions): Client {
  return createTypedClient((id) => routeOf(operationOf(id)), options);
}
