import { Command } from 'commander';
import { listScrapingErrorsCommand } from './errors.ts';
import { ingestScrapingRunsCommand } from './ingest.ts';
import { listScrapingRunsCommand } from './runs.ts';
import { showScrapingCommand } from './show.ts';

/** `backoffice scraping`: how the scraping runs go. */
export function scrapingCommand(): Command {
  const command = new Command('scraping').description('see how the scraping runs go, and record them');
  const verbs = [
    showScrapingCommand(),
    listScrapingRunsCommand(),
    listScrapingErrorsCommand(),
    ingestScrapingRunsCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
