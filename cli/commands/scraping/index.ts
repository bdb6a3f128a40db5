import { Command } from 'commander';
import { listScrapingErrorsCommand } from './errors.ts';
import { ingestScrapingRunsCommand } from './ingest.ts';
import { listScrapingRunsCommand } from './runs.ts';
import { showScrapingCommand } from './show.ts';

/** `backoffice scraping`: the scraping runs. */
export function scrapingCommand(): Command {
  const command = new Command('scraping');
  const verbs = [
    showScrapingCommand(),
    listScrapingRunsCommand(),
    listScrapingErrorsCommand(),
    ingestScrapingRunsCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
