import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

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

/**
 * Listens on a free port in place of a database. Each connection ends with the one that it leads to.
 *
 * @param accept - gets each connection, and what connects it to the database
 */
export async function listenBefore(
  databaseUrl: string,
  accept: (client: Socket, connectDatabase: () => Socket) => void,
) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other?: Socket) => {
    sockets.add(socket);
    socket.on('error', () => other?.destroy());
    socket.on('close', () => other?.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    accept(client, () => {
      const database = connect(Number(target.port), target.hostname);
      keep(database, client);
      client.on('close', () => database.destroy());
      return database;
    });
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(await listenOnLoopback(server));
  return {
    /** The URL of the database through it. */
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
