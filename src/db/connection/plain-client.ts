import { Client, type ClientConfig } from 'pg';

/**
 * Creates a connection outside of any pool. If it breaks, the query that runs, or else the next one, fails. Nothing listens
 * for the error otherwise, which would end the process.
 */
export function plainClient(config: ClientConfig): Client {
  const client = new Client(config);
  client.on('error', () => {});
  return client;
}
