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
 * @param accept - gets each connection, and what connects it to the database; by default passes on what both say
 */
export async function listenBefore(
  databaseUrl: string,
  accept: (client: Socket, connectDatabase: () => Socket) => void = (client, connectDatabase) =>
    void client.pipe(connectDatabase()).pipe(client),
) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket, other?: Socket) => {
    sockets.add(socket);
    socket.on('error', () => other?.destroy());
    socket.on('close', () => other?.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) return void client.destroy();
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
  const relay = {
    /** The URL of the database through it. */
    url: url.href,
    /** Ends all connections, and each new one at once, as if the database were down, until `mend`. */
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    async close() {
      relay.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return relay;
}
