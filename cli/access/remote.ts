import { createClient, ForeignAnswerError, ResponseError } from '../../src/contract/client/client.ts';
import { followEvents, SilentStreamError } from '../../src/contract/client/follow.ts';
import { BackofficeError, type ErrorCode } from '../../src/contract/errors.ts';
import { isAnswerOf } from '../../src/contract/field-names.ts';
import { statusOf } from '../../src/http/responses/problem.ts';
import { errorCode } from '../../src/shared/errors.ts';
import { within } from '../../src/shared/waiting.ts';
import { LateError, NotConnectedError } from '../errors.ts';
import type { Access } from './access.ts';
import { serverAddress } from './contexts.ts';

/** The code of each status, for a server that sends no codes. The first code of a status is its most general one. */
const codeOfStatus = new Map(
  Object.entries(statusOf)
    .reverse()
    .map(([code, status]) => [status, code as ErrorCode]),
);

const unknownAuthority = 'its certificate is from an unknown authority';

/** Three times as long as the server may take for an answer, for slow connections. */
const defaultTimeoutMs = 30_000;

/**
 * Runs operations on a server, through its API.
 *
 * @param token - an API token; without one the server answers 401
 */
export function remoteAccess(
  address: string,
  token: string | undefined,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number | undefined } = {},
): Access {
  const server = serverAddress(address);
  const client = createClient({
    baseUrl: server,
    // A redirect would turn a POST into a GET, and leave the token behind on the way to another host.
    fetch: (address, options) => fetch(address, { ...options, redirect: 'manual' }),
    ...(token === undefined ? {} : { token }),
  });
  return {
    // A dead connection looks like a slow server.
    call: (id, input, idempotencyKey) =>
      withServiceErrors(server, timeoutMs, async () => {
        const answer = await client.call(id, input, AbortSignal.timeout(timeoutMs), idempotencyKey);
        if (!isAnswerOf(id, answer)) throw new ForeignAnswerError('JSON of another service');
        return answer;
      }),
    stream: (id, input, write) =>
      withServiceErrors(server, timeoutMs, async () => {
        const cancelled = new AbortController();
        const inTime = <T>(work: Promise<T>) => within(timeoutMs, work, () => new SilentStreamError());
        try {
          const { body } = await inTime(client.request(id, input, cancelled.signal));
          if (body === null) return;
          const reader = body.pipeThrough(new TextDecoderStream()).getReader();
          for (;;) {
            const { done, value } = await inTime(reader.read());
            if (done) return;
            await write(value);
          }
        } finally {
          cancelled.abort();
        }
      }),
    async *follow(options) {
      try {
        yield* followEvents(client, options);
      } catch (error) {
        throw toError(server, error);
      }
    },
  };
}

/** Turns the error of a response into the error that the service would throw locally. */
async function withServiceErrors<T>(server: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSilence(error)) throw new LateError(server, timeoutMs, { cause: error });
    throw toError(server, error);
  }
}

function toError(server: string, error: unknown): unknown {
  if (error instanceof ResponseError) {
    const { message: text, param, status } = error;
    const isKnown = error.code !== undefined && Object.hasOwn(statusOf, error.code);
    const code = (isKnown ? error.code : codeOfStatus.get(status)) ?? 'failed';
    return new BackofficeError({ code, text, param }, { cause: error });
  }
  if (error instanceof ForeignAnswerError) {
    return new NotConnectedError(foreignSentence(server, error), { cause: error });
  }
  // The reader of the output has left, which is not the server's fault.
  if (errorCode(error) === 'EPIPE') return error;
  if (isSilence(error)) {
    return new NotConnectedError(`${server} did not answer. Check that it is running.`, { cause: error });
  }
  return new NotConnectedError(unreachableSentence(server, networkReasonOf(error)), { cause: error });
}

const isSilence = (error: unknown) =>
  error instanceof SilentStreamError || (error instanceof Error && error.name === 'TimeoutError');

function foreignSentence(server: string, { answer, location }: ForeignAnswerError): string {
  const target = location === undefined ? undefined : new URL(location, server);
  const [, path] = /^(.*)\/api\/admin\//.exec(target?.pathname ?? '') ?? [];
  if (path !== undefined) return `${server} redirects to ${target?.origin}${path}. Use that address instead.`;
  const where = target === undefined ? '' : ` to ${target.origin}${target.pathname}`;
  return `${server} is not a Backoffice server: it answers with ${answer}${where}. Check the address.`;
}

function unreachableSentence(server: string, reason: string | undefined): string {
  const advice =
    reason === unknownAuthority
      ? "Set NODE_EXTRA_CA_CERTS to a file with the authority's certificate."
      : 'Check the address, and that the server is running.';
  return `Cannot reach ${server}${reason === undefined ? '' : `: ${reason}`}. ${advice}`;
}

/** Why a connection to another machine fails, for each error code of the system and of TLS. */
export const networkReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closes the connection',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_SOCKET: 'it closes the connection',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use HTTPS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not use HTTPS',
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** Returns why a request failed; undefined for a reason that is not known. `fetch` has it as its cause. */
function networkReasonOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code = '' } = each as NodeJS.ErrnoException;
    if (Object.hasOwn(networkReasons, code)) return networkReasons[code];
  }
  return undefined;
}
