import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { listenBefore } from './listen.ts';

/** The parameters that PgBouncer accepts, besides those that it is told to ignore. */
const acceptedParameters = ['user', 'database', 'client_encoding', 'application_name'];

/**
 * Starts what begins connections as PgBouncer 1.18 does: it refuses unknown parameters with the same bytes, and numbers
 * connections itself. Each then has a connection of its own to the server. The real PgBouncer is in `npm run test:cluster`:
 * not every machine has it.
 *
 * @param ignored - its `ignore_startup_parameters`
 */
export async function startPoolerStandIn(databaseUrl: string, ignored: readonly string[] = []) {
  return await listenBefore(databaseUrl, (client, connectDatabase) => {
    client.once('data', (packet) => {
      const given = parametersOf(packet);
      const refused = given.find(([name]) => ![...acceptedParameters, ...ignored].includes(name));
      if (refused !== undefined) return client.end(refusal(refused[0]));
      const database = connectDatabase();
      database.write(startupPacket(given.filter(([name]) => acceptedParameters.includes(name))));
      client.pipe(database);
      relayWithOwnNumber(database, client);
    });
  });
}

/** Reads the names and values of a startup message, which follow its length and the version of the protocol. */
function parametersOf(packet: Buffer): [name: string, value: string][] {
  const words = packet.toString('utf8', 8).split('\0');
  const pairs: [string, string][] = [];
  for (let at = 0; words[at]; at += 2) pairs.push([words[at] ?? '', words[at + 1] ?? '']);
  return pairs;
}

function startupPacket(parameters: readonly [string, string][]): Buffer {
  const body = Buffer.from(`${parameters.flat().join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + body.length);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, body]);
}

/** What PgBouncer answers. Unlike Postgres, it says the severity once, and neither a file nor a line. */
function refusal(name: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

/** Passes on what the server says, with another number of the process in its BackendKeyData message. */
function relayWithOwnNumber(database: Socket, client: Socket): void {
  let received = Buffer.alloc(0);
  let at = 0;
  database.on('data', function read(chunk) {
    received = Buffer.concat([received, chunk]);
    while (received.length >= at + 5 && received.length >= at + 1 + received.readInt32BE(at + 1)) {
      const isKey = received.toString('latin1', at, at + 1) === 'K';
      if (isKey) randomBytes(4).copy(received, at + 5);
      at += 1 + received.readInt32BE(at + 1);
      if (!isKey) continue;
      database.off('data', read);
      client.write(received);
      database.pipe(client);
      return;
    }
    // Complete messages pass: the client answers those about its password.
    client.write(received.subarray(0, at));
    received = received.subarray(at);
    at = 0;
  });
}
