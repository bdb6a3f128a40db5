import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  return { url: urlOf(server), stop: () => stop(server) };
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const impatient = setTimeout(() => server.closeAllConnections(), graceful);
  await closed;
  clearTimeout(impatient);
}
