import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { listenOnLoopback } from '../servers/listen.ts';

/** A relay to Postgres that records the statements that pass through it. */
export interface QueryTap {
  /** The URL of the database through the relay. */
  readonly url: string;
  /** The statements since the last `reset`, including `begin` and `commit`. */
  readonly statements: readonly string[];
  reset(): void;
  close(): Promise<void>;
}

/** Opens a relay between a service and its database. It records what is sent over the wire, by any library. */
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

  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(await listenOnLoopback(server));
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
 * Finds the statements in the messages of a client
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html): the text of each simple Query, and at each
 * Execute the statement that was bound last, which may have been parsed long before.
 */
function statementReader(found: (text: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  // The first message, the start-up, has a length but no type.
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
