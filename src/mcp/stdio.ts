import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpServerOptions } from './server.ts';

/**
 * Serves an agent over standard input and output. Resolves when the agent closes the input or the signal aborts, after
 * the calls that are running have been answered.
 */
export async function serveStdio(options: McpServerOptions, stop: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>();
  const server = createMcpServer({
    ...options,
    async run(...call) {
      const work = options.run(...call);
      const settled = work.catch(() => {});
      running.add(settled);
      await settled;
      running.delete(settled);
      await work;
    },
  });
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  await server.connect(new StdioServerTransport());
  await Promise.race([ended, once(stop, 'abort')]);
  await Promise.all(running);
  // The server sends an answer right after its call has settled.
  await setImmediate();
  await server.close();
}
