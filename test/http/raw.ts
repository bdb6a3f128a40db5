import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Sends a request's head, and no byte of a body, on a connection of its own, and resolves with all that comes back
 * until the service closes the connection.
 */
export async function sendHead(url: string, lines: readonly string[]): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.write([lines[0], `Host: ${host}`, ...lines.slice(1), '', ''].join('\r\n'));
  await once(socket, 'close');
  return received;
}
