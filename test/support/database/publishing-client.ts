import { Client } from 'pg';

/** Finds what is only there once the changes that were recorded are published. */
const publishedTables =
  /\b(?:from|join|into|update|truncate)\s+(?:public\.)?(?:events|audit_records|webhook_deliveries)\b/i;

/**
 * Returns a client that publishes the recorded changes before each statement about what is published, on a connection of
 * its own. So a test finds what a call has caused as soon as it has its answer.
 */
export function publishingClient(url: string): Client {
  const client = new Client({ connectionString: url });
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const end = client.end.bind(client) as () => Promise<void>;
  let publisher: Promise<Client> | undefined;

  const publish = async () => {
    publisher ??= connect(url);
    // Fails on a schema without the function, which has nothing to publish either.
    await (await publisher).query('select publish_changes()').catch(() => {});
  };
  const override = {
    query(...parameters: unknown[]) {
      const [first] = parameters;
      const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
      // Others, such as streams, are not promises.
      if (text === undefined || !publishedTables.test(text)) return query(...parameters);
      return publish().then(() => query(...parameters));
    },
    async end() {
      await (await publisher?.catch(() => undefined))?.end();
      await end();
    },
  };
  return Object.assign(client, override as unknown as Pick<Client, 'query' | 'end'>);
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}
