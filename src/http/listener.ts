import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ExpectedError, errorCode } from '../shared/errors.ts';
import { atMost } from '../shared/waiting.ts';
import { useOriginForm } from './requests/request-head.ts';

/**
 * How long an idle connection stays open. Longer than proxies and clients keep theirs (60 s is usual), so that none
 * sends a request while the server closes the connection: it would fail with ECONNRESET or a 502.
 */
const keepAliveTimeoutMs = 65_000;

export type Listener = Awaited<ReturnType<typeof listen>>;

/** Another program uses the address. */
export class AddressInUseError extends ExpectedError {
  override readonly name = 'AddressInUseError';
}

/**
 * Listens for HTTP requests. Port 0 takes any free one.
 *
 * @throws AddressInUseError
 */
export async function listen(handler: RequestListener, host: string, port: number) {
  const responses: LatestResponses = new Map();
  let isDraining = false;
  const handle: RequestListener = (req, res) => {
    responses.set(req.socket, res);
    if (isDraining) res.setHeader('Connection', 'close');
    useOriginForm(req);
    handler(req, res);
  };
  // Node would answer without a body if `Host` is missing or `Expect` is unknown. `checkRequestHead` checks them.
  const server = createServer({ keepAliveTimeout: keepAliveTimeoutMs, requireHostHeader: false }, handle);
  server.on('checkExpectation', handle);
  // `readJsonBody` asks for the body, after the checks that come before it.
  server.on('checkContinue', handle);
  server.on('clientError', (error, socket) => rejectUnreadable(error, socket, responses.get(socket)));
  server.on('connection', (socket) => {
    responses.set(socket, undefined);
    socket.once('close', () => responses.delete(socket));
  });
  await listenOn(server, host, port, 'PORT');
  return {
    url: urlOf(server),
    /** Closes each connection after its next answer, which says so. New connections are still accepted. */
    drain() {
      isDraining = true;
      for (const response of responses.values()) {
        if (response?.headersSent === false) response.setHeader('Connection', 'close');
      }
    },
    /** Takes no new connection, lets running requests finish, and disconnects what is left after the time. */
    close: (timeoutMs: number) => close(server, responses, timeoutMs),
  };
}

/**
 * Makes a server listen.
 *
 * @param variable - the environment variable with the port
 * @throws AddressInUseError
 */
export async function listenOn(server: Server, host: string, port: number, variable: string): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    throw new AddressInUseError(
      `Port ${port} on ${host} is in use by another program. Set ${variable} to a free port.`,
    );
  }
}

/**
 * The latest response on each open connection. Undefined if there was no request yet: browsers open connections before
 * they need them, and Node does not count these as idle.
 */
type LatestResponses = Map<Duplex, ServerResponse | undefined>;

const notHttp = ['400 Bad Request', 'The request is not valid HTTP.'] as const;
const unreadable: Readonly<Record<string, readonly [status: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request header is too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/**
 * Answers bytes that are not HTTP, headers that are too long, and requests that never become complete, with `{ error }`
 * like every other error.
 *
 * @param response - the latest response on the connection
 */
function rejectUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  response: ServerResponse | undefined,
): void {
  // The error would become part of a response that has started.
  const interrupts = response?.headersSent === true && !response.writableFinished;
  if (!socket.writable || interrupts || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, text] = unreadable[error.code ?? ''] ?? notHttp;
  const body = JSON.stringify({ error: text });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Returns the address of a server that listens, such as `http://127.0.0.1:3000`. */
export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function close(server: Server, responses: LatestResponses, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  // Connections that finish a request from now on.
  server.keepAliveTimeout = 1;
  for (const [socket, response] of responses) if (response === undefined) socket.destroy();
  await atMost(timeoutMs, closed);
  server.closeAllConnections();
  await closed;
}
