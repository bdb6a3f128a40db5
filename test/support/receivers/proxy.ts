import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listenOnLoopback } from './listen.ts';

/** A busy machine may make one check late. */
const maxSilences = 3;

interface Instance {
  isReady: boolean;
  /** What it last answered. */
  problem: string;
}

/**
 * Starts a proxy that sends requests to its instances in turn, over connections that it keeps. It asks `/readyz` of each
 * all the time and leaves out those that say that they are not ready, or say nothing three times. It repeats no request:
 * one that fails is a 502.
 *
 * @param options.prefix - the path that it serves them under, which they don't see in the path of a request
 */
export async function startProxy({ checkMs = 100, prefix = '' } = {}) {
  const agent = new Agent({ keepAlive: true });
  const instances = new Map<string, Instance>();
  let turn = 0;

  const server = createServer((req, res) => {
    const ready = [...instances].filter(([, { isReady }]) => isReady);
    const [url] = ready[turn++ % ready.length] ?? [];
    const problems = [...instances.values()].map(({ problem }) => problem);
    if (!req.url?.startsWith(`${prefix}/`)) res.writeHead(404).end();
    else if (url === undefined) res.writeHead(503).end(`no instance is ready: ${problems.join(', ')}`);
    else pass(req, res, { url, prefix, agent });
  });
  const port = await listenOnLoopback(server);

  const check = async (url: string, instance: Instance) => {
    let silences = 0;
    while (instances.get(url) === instance) {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
      instance.problem = (await answer?.text()) ?? 'no answer';
      silences = answer === null ? silences + 1 : 0;
      instance.isReady = answer?.ok ?? (instance.isReady && silences < maxSilences);
      await pause(checkMs);
    }
  };
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    /** Adds an instance, and resolves when it is ready. */
    async add(url: string) {
      const instance = { isReady: false, problem: '' };
      instances.set(url, instance);
      void check(url, instance);
      while (!instance.isReady) await pause(10);
    },
    /** Forgets an instance that has stopped. */
    remove: (url: string) => void instances.delete(url),
    async close() {
      instances.clear();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(
  req: IncomingMessage,
  res: ServerResponse,
  { url, prefix, agent }: { url: string; prefix: string; agent: Agent },
): void {
  const { connection: _, ...headers } = req.headers;
  if (prefix !== '') headers['x-forwarded-prefix'] = prefix;
  const options = { agent, method: req.method, path: req.url?.slice(prefix.length), headers };
  const passed = request(url, options, (answer) => {
    const { connection: _ofAnswer, 'keep-alive': _time, ...rest } = answer.headers;
    res.writeHead(answer.statusCode ?? 502, rest);
    answer.pipe(res);
    answer.on('error', () => res.destroy());
  });
  passed.on('error', (error) => {
    if (res.headersSent) res.destroy();
    else res.writeHead(502).end(`the instance failed: ${error.message}`);
  });
  res.on('close', () => passed.destroy());
  req.pipe(passed);
}
