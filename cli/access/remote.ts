import { createClient, ResponseError } from '../../src/contract/client/client.ts';
import { BackofficeError, type ErrorCode } from '../../src/contract/errors.ts';
import { statusOf } from '../../src/http/error-status.ts';
import { NotConnectedError } from '../errors.ts';
import type { Access } from './access.ts';

const codeOfStatus = new Map(Object.entries(statusOf).map(([code, status]) => [status, code as ErrorCode]));

/** Milliseconds for an answer: what the server has for one, and as much again twice for a slow line. */
const usualPatience = 30_000;

/**
 * The operations of a server, through its API.
 *
 * @param token - an API token; without one the server answers 401
 */
export function remoteAccess(
  server: string,
  token: string | undefined,
  { patience = usualPatience } = {},
): Access {
  const client = createClient({
    baseUrl: server.replace(/\/+$/, ''),
    ...(token === undefined ? {} : { token }),
  });
  return {
    // A line that is dead may look as if the server were thinking.
    call: (id, input) => told(server, () => client.call(id, input, AbortSignal.timeout(patience))),
    stream: (id, input, write) =>
      told(server, async () => {
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

/** What a server refuses becomes the error that the service itself would throw. */
async function told<T>(server: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toError(server, error);
  }
}

function toError(server: string, error: unknown): unknown {
  if (error instanceof ResponseError) {
    const code = codeOfStatus.get(error.status) ?? 'failed';
    return new BackofficeError({ code, text: error.message }, { cause: error });
  }
  // Whoever reads the output has gone: that is not the server's fault.
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return error;
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new NotConnectedError(`${server} does not answer.`, { cause: error });
  }
  return new NotConnectedError(`${server} cannot be reached. Check --server or BACKOFFICE_SERVER.`, {
    cause: error,
  });
}
