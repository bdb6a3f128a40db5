import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/**
 * Makes a server listen on a free port of the loopback. Returns the port.
 *
 * An HTTP server keeps idle connections open, because on a busy machine a client may send its next request just when
 * Node closes them after 5 s.
 */
export async function listenOnLoopback(server: Server, host = '127.0.0.1'): Promise<number> {
  if (server instanceof HttpServer) server.keepAliveTimeout = 0;
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
