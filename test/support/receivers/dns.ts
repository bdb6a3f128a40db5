import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import { isIPv4, type LookupFunction } from 'node:net';

/** A name server of a test. */
export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>;

const headerBytes = 12;

/** Starts a name server that gives each answer once, and the last one forever. They may not be remembered. */
export async function startDnsServer(...answers: readonly string[]) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  const left = [...answers];
  socket.on('message', (query, { port, address }) => {
    asked.push(nameIn(query));
    const answer = left.length > 1 ? left.shift() : left[0];
    socket.send(answerTo(query, answer ?? ''), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  const lookup: LookupFunction = (hostname, _options, callback) => {
    resolver.resolve4(hostname, (error, addresses = []) =>
      callback(
        error,
        addresses.map((address) => ({ address, family: 4 })),
      ),
    );
  };
  return {
    /** The names that were asked for. */
    asked,
    /** Looks up names there, as the one of Node does with the name servers of the machine. */
    lookup,
    close: () => void socket.close(),
  };
}

/** Returns the end of the question: of the labels, with the empty one, and of the type and class after them. */
function questionEnd(query: Buffer): number {
  let index = headerBytes;
  while (query.readUInt8(index) > 0) index += query.readUInt8(index) + 1;
  return index + 5;
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let index = headerBytes; query.readUInt8(index) > 0; index += query.readUInt8(index) + 1)
    labels.push(query.toString('latin1', index + 1, index + 1 + query.readUInt8(index)));
  return labels.join('.');
}

/** Returns the response (RFC 1035, section 4) with one address, which lives for no second. */
function answerTo(query: Buffer, address: string): Buffer {
  if (!isIPv4(address)) throw new Error(`${address} is not an IPv4 address.`);
  const head = Buffer.from(query.subarray(0, headerBytes));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 6);
  head.fill(0, 8);
  const record = [0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)];
  return Buffer.concat([head, query.subarray(headerBytes, questionEnd(query)), Buffer.from(record)]);
}
