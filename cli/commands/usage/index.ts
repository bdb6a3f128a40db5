import { Command } from 'commander';
import { listUsageAlertsCommand } from './alerts.ts';
import { usageBudgetCommand } from './budget/index.ts';
import { ingestUsageCommand } from './ingest.ts';
import { usagePricesCommand } from './prices/index.ts';
import { recomputeUsageCommand } from './recompute.ts';
import { showUsageCommand } from './show.ts';

/** `backoffice usage`: tokens and what they cost. */
export function usageCommand(): Command {
  const command = new Command('usage').description(
    'see what AI tokens were used, what they cost and may cost',
  );
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
