import { Command } from 'commander';
import { severities } from '../../../src/contract/vocabulary.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { canEdit, readTexts, withEditedDocument } from '../../input/long-text.ts';
import { severityOption } from '../../input/words.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { labelsOption } from '../labels/options.ts';
import { documentHelp, issueDocument } from './issue-document.ts';
import type { IssueFields } from './issue-fields.ts';
import { throwUnknownTarget } from './link-target.ts';

interface CreateOptions extends Format {
  readonly title?: string;
  readonly severity?: string;
  readonly category?: string;
  readonly description?: string;
  readonly steps?: string;
  readonly label?: readonly string[];
  readonly fromConversation?: string;
  readonly fromScrapingError?: number;
}

/** `backoffice issues create`. */
export function createIssueCommand(): Command {
  const command = new Command('create')
    .description('report an issue')
    .argument('[title]', 'a short summary of the problem; omit it to write the issue in your editor')
    .option('--title <text>', 'the title, instead of the argument')
    .addOption(severityOption('--severity <severity>', `${severities.join(', ')}, or another`))
    .option('--category <category>', 'what it is about')
    .option('--description <text>', 'what happens; - for standard input')
    .option('--steps <text>', 'steps to reproduce it; - for standard input')
    .addOption(labelsOption('--label <labels>', 'a label of it'))
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
  backoffice issues create
  backoffice issues create "Checkout does nothing" --severity High --label mobile,urgent
  backoffice issues create "Invoices are not sent" --from-conversation conv_1769851800000_k3x9a2b
  journalctl -u shop -n 50 | backoffice issues create "Shop crashes" --description -`,
    );
  return runs(withFormats(command), 'issues.create').action(
    async (argument: string | undefined, { title = argument, ...given }: CreateOptions) => {
      if (argument !== undefined && title !== argument)
        throw new UsageError('Give the title as the argument or as --title, not as both.');
      const options = await readTexts(given, ['description', 'steps']);
      if (title !== undefined)
        return await withAccess(command, (access) => create(access, options, { ...options, title }));
      if (!canEdit()) throw new UsageError('Give the issue a title.');
      const { severity = 'Low', category = '', description = '', steps = '' } = options;
      const document = issueDocument({ title: '', severity, category, description, steps });
      const text = {
        what: 'issue',
        initial: document.text,
        about: documentHelp.slice(0, 1),
      };
      await withEditedDocument(text, (written) =>
        withAccess(command, (access) => create(access, options, document.parse(written))),
      );
    },
  );
}

async function create(
  access: Access,
  { label = [], fromConversation, fromScrapingError, ...format }: CreateOptions,
  { title = '', severity, category, description, steps }: IssueFields,
): Promise<void> {
  const issue = {
    title,
    // An empty field has the default.
    severity: severity || undefined,
    category: category || undefined,
    description,
    steps_to_reproduce: steps,
    labels: [...label],
    conversation_id: fromConversation,
    scraping_error_id: fromScrapingError,
  };
  const source = { conversation: fromConversation, scrapingError: fromScrapingError };
  const created = await access
    .call('issues.create', issue)
    .catch((error: unknown) => throwUnknownTarget(error, source));
  await emitChange(created, format, () => print(`Reported issue ${created.id}.`));
}
