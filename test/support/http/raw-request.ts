import { connect } from 'node:net';

/**
 * Sends the head of a request without a body, on its own connection. Resolves with the response when the service closes
 * the connection, or as soon as the response matches `until`.
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
