import { connect } from 'node:net';

/**
 * Sends a request's head, and no byte of a body, on a connection of its own. Resolves with what comes back until the
 * service closes the connection, or until that text has come, after which the connection is ended from here.
 */
export async function sendHead(url: string, lines: readonly string[], until?: RegExp): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('latin1');
  socket.write([lines[0], `Host: ${host}`, ...lines.slice(1), '', ''].join('\r\n'));
  let received = '';
  for await (const text of socket) {
    received += text;
    if (until?.test(received)) break;
  }
  return received;
}
