import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Where Linux lists the connections of IPv4 and IPv6: https://docs.kernel.org/networking/proc_net_tcp.html */
const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** Both ends of a connection, as the lists of Linux have them. */
export type ConnectionKey = `${string} ${string}`;

/**
 * Returns how often Linux has sent the same bytes again without an answer, by connection. Connections whose other end
 * answers are left out. Empty on other systems, which do not tell.
 */
export async function readRetransmissions(): Promise<ReadonlyMap<ConnectionKey, number>> {
  const texts = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')));
  return new Map(texts.flatMap(parseTable));
}

/** Parses a list. Its first line has the names of the columns. */
export function parseTable(text: string): [ConnectionKey, number][] {
  const found: [ConnectionKey, number][] = [];
  for (const line of text.split('\n').slice(1)) {
    const [, local, remote, , , , retransmissions = '0'] = line.trim().split(/\s+/);
    const count = Number.parseInt(retransmissions, 16);
    if (count > 0) found.push([`${local} ${remote}`, count]);
  }
  return found;
}

/** Returns the key of an open connection. */
export function connectionKey(socket: Socket): ConnectionKey | undefined {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  // They are missing when the connection has just been closed.
  if (localAddress === undefined || remoteAddress === undefined) return undefined;
  return `${endOf(localAddress, localPort)} ${endOf(remoteAddress, remotePort)}`;
}

/** Linux prints an address in words of 32 bits, each in the byte order of the machine. */
function endOf(address: string, port = 0): string {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  if (endianness() === 'LE') bytes.swap32();
  return `${bytes.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
