import { createServer } from 'node:net';

/** Returns a free port of 127.0.0.1: `preferred` if nothing listens on it. */
export async function findFreePort(preferred = 0): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(preferred, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise.catch((error: unknown) => {
    if (preferred === 0) throw error;
    return findFreePort();
  });
}
