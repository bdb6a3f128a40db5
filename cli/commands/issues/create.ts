import { Command } from 'commander';
import { severities } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { severityOption } from '../../input/words.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';

interface CreateOptions extends Format {
  readonly severity?: string;
  readonly category?: string;
  readonly description?: string;
  readonly steps?: string;
  readonly fromConversation?: string;
  readonly fromScrapingError?: number;
}

/** `backoffice issues create`. */
export function createIssueCommand(): Command {
  const command = new Command('create')
    .description('report an issue')
    .argument('<title>', 'a short summary of the problem')
    .addOption(severityOption('--severity <severity>', `${severities.join(', ')}, or another`))
    .option('--category <category>', 'what it is about')
    .option('--description <text>', 'what happens')
    .option('--steps <text>', 'steps to reproduce it')
    .option('--from-conversation <conversation>', 'the ID of the conversation that reported it')
    .option(
      '--from-scraping-error <number>',
      'the number of the scraping error that caused it',
      wholeNumber(1),
    )
    .addHelpText(
      'after',
      `
Examples:
  backoffice issues create "Checkout does nothing" --severity High
  backoffice issues create "Invoices are not sent" --from-conversation conv_1769851800000_k3x9a2b`,
    );
  return runs(withFormats(command), 'issues.create').action(
    async (title: string, { steps, fromConversation, fromScrapingError, ...options }: CreateOptions) => {
      const { json: _json, ...fields } = options;
      const created = await withAccess(command, (access) =>
        access.call('issues.create', {
          title,
          steps_to_reproduce: steps,
          conversation_id: fromConversation,
          scraping_error_id: fromScrapingError,
          ...fields,
        }),
      );
      await emitChange(created, options, () => print(`Reported issue ${created.id}.`));
    },
  );
}
