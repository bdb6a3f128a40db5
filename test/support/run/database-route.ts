import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listenBefore } from '../receivers/listen.ts';

/** Opens a way to a database for one test, which can cut it, so that the database is out of reach, and mend it. */
export async function routeTo(databaseUrl: string) {
  const clients = new Set<Socket>();
  let isCut = false;
  const relay = await listenBefore(databaseUrl, (client, connectDatabase) => {
    clients.add(client);
    if (isCut) client.destroy();
    else client.pipe(connectDatabase()).pipe(client);
  });
  onTestFinished(relay.close);
  return {
    /** The URL of the database by this way. */
    url: relay.url,
    cut() {
      isCut = true;
      for (const client of clients) client.destroy();
    },
    mend() {
      isCut = false;
    },
  };
}
