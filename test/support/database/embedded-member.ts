// A process of its own that joins the embedded Postgres: prints its URL, stays until SIGTERM, then leaves.
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';

const [, , dataDirectory = ''] = process.argv;

// Like a server with a graceful stop, it survives the terminal's Ctrl-C at first.
process.on('SIGINT', () => undefined);
const postgres = await joinEmbeddedPostgres({ dataDirectory, durable: false });
process.once('SIGTERM', () => postgres.close());
console.log(postgres.url);
