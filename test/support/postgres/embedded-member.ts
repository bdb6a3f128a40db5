import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';

// A process that joins the embedded Postgres, prints its URLs and stays a member until SIGTERM.

const [, , dataDirectory = ''] = process.argv;

// Like a server that stops gracefully, it survives the terminal's Ctrl-C.
process.on('SIGINT', () => undefined);
const postgres = await joinEmbeddedPostgres({ dataDirectory, durable: false });
process.once('SIGTERM', () => postgres.close());
console.log(`${postgres.url} ${postgres.ownerUrl}`);
