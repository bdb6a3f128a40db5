import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A relay to Postgres that notes what passes. */
export interface QueryTap {
  /** The database's URL, through the relay. */
  readonly url: string;
  /** The statements that were run since the last `reset`, `begin` and `commit` included. */
  readonly statements: readonly string[];
  reset(): void;
  close(): Promise<void>;
}

/** Listens between a service and its database: what it counts is what went over the wire, whichever library sent it. */
export async function openQueryTap(databaseUrl: string): Promise<QueryTap> {
  const target = new URL(databaseUrl);
  const statements: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = dial(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
      socket.pipe(other);
    }
    client.on(
      'data',
      statementReader((text) => statements.push(text)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    statements,
    reset: () => statements.splice(0),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Finds the statements in what a client sends (https://www.postgresql.org/docs/current/protocol-message-formats.html):
 * a simple Query as it is, and at each Execute the statement that was bound last, which may have been parsed long ago.
 */
function statementReader(found: (text: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  // The first message, the start-up, has a length and no type.
  let header = 0;
  const parsed = new Map<string, string>();
  let bound = '';
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= header + 4 && rest.length >= header + rest.readUInt32BE(header)) {
      const size = header + rest.readUInt32BE(header);
      const type = header === 0 ? '' : String.fromCharCode(rest[0] ?? 0);
      const [first = '', second = ''] = rest.toString('utf8', header + 4, size).split('\0');
      if (type === 'Q') found(first);
      if (type === 'P') parsed.set(first, second);
      if (type === 'B') bound = parsed.get(second) ?? '';
      if (type === 'E') found(bound);
      rest = rest.subarray(size);
      header = 1;
    }
  };
}
