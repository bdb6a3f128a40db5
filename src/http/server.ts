import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Milliseconds that requests under way get to finish; the process has 10 s in all. */
const graceful = 8_000;

export interface RunningServer {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  /** Takes no new connection, lets the requests under way finish, and ends what is left after 8 s. */
  stop(): Promise<void>;
}

/** The address is taken by another program. */
export class AddressInUseError extends Error {
  override readonly name = 'AddressInUseError';
}

/**
 * Listens for HTTP requests.
 *
 * @param port - 0 takes any free one
 * @throws AddressInUseError
 */
export async function listen(handler: RequestListener, host: string, port: number): Promise<RunningServer> {
  const server = createServer(handler);
  // The body is asked for by whoever reads it, after the checks that come before.
  server.on('checkContinue', handler);
  server.on('clientError', answerUnreadable);
  const unused = unusedConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new AddressInUseError(
              `Port ${port} on ${host} is taken by another program. Set PORT to a free one.`,
            )
          : error,
      );
    });
    server.listen(port, host, resolve);
  });
  return { url: urlOf(server), stop: () => stop(server, unused) };
}

/** What is no HTTP request, or has too long a header, gets an answer in the form of all others. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The request header is too long.']
      : ['400 Bad Request', 'The request is not valid HTTP.'];
  const body = JSON.stringify({ error: text });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Browsers open connections ahead of their requests, and Node does not count these among the idle ones. */
function unusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  server.on('checkContinue', ({ socket }) => unused.delete(socket));
  return unused;
}

async function stop(server: Server, unused: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  for (const socket of unused) socket.destroy();
  const impatient = setTimeout(() => server.closeAllConnections(), graceful);
  await closed;
  clearTimeout(impatient);
}
