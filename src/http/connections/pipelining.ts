import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests of a connection may be without an answer. Browsers and proxies send one at a time. */
const maxUnanswered = 20;

/** The responses of a connection that had not ended when its latest request arrived. */
type Unanswered = WeakMap<Socket, readonly ServerResponse[]>;

/**
 * Limits the requests that a connection has sent ahead: otherwise one connection, without signing in, could fill the memory.
 * Those up to the limit are answered, then the connection is closed, and the client sends the others again
 * (https://www.rfc-editor.org/rfc/rfc9112#section-9.3.2).
 */
export function limitPipelining(handle: RequestListener): RequestListener {
  // Looked at with each request. A listener for the end of each response would cost more.
  const unanswered: Unanswered = new WeakMap();
  const full = new WeakSet<Socket>();
  const stopped = new WeakSet<Socket>();

  /** Not before there is one too many: the last one up to the limit may have a body. */
  function stopReading(socket: Socket): void {
    if (stopped.has(socket)) return;
    stopped.add(socket);
    socket.pause();
    // Node reads on with each answer.
    socket.on('resume', () => socket.pause());
  }

  return (req, res) => {
    const { socket } = req;
    if (full.has(socket)) return stopReading(socket);
    const earlier = unanswered.get(socket) ?? [];
    const waiting = [...earlier.filter((response) => !response.writableFinished), res];
    unanswered.set(socket, waiting);
    if (waiting.length === maxUnanswered) {
      full.add(socket);
      res.setHeader('Connection', 'close');
    }
    handle(req, res);
  };
}
