import { Command } from 'commander';
import { listUsageAlertsCommand } from './alerts.ts';
import { usageBudgetCommand } from './budget/index.ts';
import { ingestUsageCommand } from './ingest.ts';
import { usagePricesCommand } from './prices/index.ts';
import { recomputeUsageCommand } from './recompute.ts';
import { showUsageCommand } from './show.ts';

/** `backoffice usage`: AI tokens and their cost. */
export function usageCommand(): Command {
  const command = new Command('usage');
  const verbs = [
    showUsageCommand(),
    listUsageAlertsCommand(),
    usagePricesCommand(),
    usageBudgetCommand(),
    ingestUsageCommand(),
    recomputeUsageCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
