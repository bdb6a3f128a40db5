import { createClient, ResponseError } from '../../src/contract/client/client.ts';
import { BackofficeError, type ErrorCode } from '../../src/contract/errors.ts';
import { statusOf } from '../../src/http/error-status.ts';
import { NotConnectedError } from '../errors.ts';
import type { Access } from './access.ts';

/** The code of each status, for a server that sends no codes. The first code of a status is its most general one. */
const codeOfStatus = new Map(
  Object.entries(statusOf)
    .reverse()
    .map(([code, status]) => [status, code as ErrorCode]),
);

/** Three times as long as the server may take for an answer, for slow connections. */
const defaultTimeoutMs = 30_000;

/**
 * Runs operations on a server, through its API.
 *
 * @param token - an API token; without one the server answers 401
 */
export function remoteAccess(
  server: string,
  token: string | undefined,
  { timeoutMs = defaultTimeoutMs } = {},
): Access {
  const client = createClient({
    baseUrl: server.replace(/\/+$/, ''),
    ...(token === undefined ? {} : { token }),
  });
  return {
    // A dead connection looks like a slow server.
    call: (id, input) =>
      withServiceErrors(server, () => client.call(id, input, AbortSignal.timeout(timeoutMs))),
    stream: (id, input, write) =>
      withServiceErrors(server, async () => {
        const response = await client.request(id, input);
        const text = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
        for await (const piece of text) await write(piece);
      }),
    async *follow(options) {
      try {
        yield* client.follow(options);
      } catch (error) {
        throw toError(server, error);
      }
    },
  };
}

/** Turns the error of a response into the error that the service would throw locally. */
async function withServiceErrors<T>(server: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toError(server, error);
  }
}

function toError(server: string, error: unknown): unknown {
  if (error instanceof ResponseError) {
    const { message: text, param, status } = error;
    const code = error.code ?? codeOfStatus.get(status) ?? 'failed';
    return new BackofficeError({ code, text, param }, { cause: error });
  }
  // The reader of the output has left, which is not the server's fault.
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return error;
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new NotConnectedError(`${server} did not answer. Check that it is running.`, {
      cause: error,
    });
  }
  return new NotConnectedError(`Cannot reach ${server}. Check --server or BACKOFFICE_SERVER.`, {
    cause: error,
  });
}
