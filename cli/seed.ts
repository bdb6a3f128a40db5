import { Command } from 'commander';
import { seed } from '../src/services/seed.ts';
import { withServices } from './connection.ts';
import { print } from './terminal.ts';

/** `backoffice seed`: data to look at. */
export function seedCommand(): Command {
  return new Command('seed')
    .description('fill an empty database with a small, realistic set of data')
    .action(async () => {
      const counts = await withServices((services) => seed(services));
      const made = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
      print(`Made ${made.join(', ')}.`);
    });
}
