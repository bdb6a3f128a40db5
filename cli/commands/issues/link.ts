import { Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../arguments.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { findIssue } from './show.ts';

interface LinkOptions extends Format {
  readonly conversation?: string;
  readonly scrapingError?: number;
}

/** `backoffice issues link`. */
export function linkIssue(): Command {
  const command = withEnds('link', 'link an issue to a conversation or to a scraping error');
  return runs(withFormats(command), 'links.create').action(async (id: number, options: LinkOptions) => {
    const { fields, name } = targetOf(options);
    await withAccess(command, async (access) => {
      await findIssue(access, id);
      const done = await access.call('links.create', { issue_id: id, ...fields });
      await emitChange(done, options, () => print(`Linked issue ${id} to ${printable(name)}.`));
    });
  });
}

/** `backoffice issues unlink`. */
export function unlinkIssue(): Command {
  const command = withEnds('unlink', 'remove the link of an issue to a conversation or to a scraping error');
  return runs(withFormats(command), 'links.delete').action(async (id: number, options: LinkOptions) => {
    const { fields, name } = targetOf(options);
    await withAccess(command, async (access) => {
      const { links } = await access.call('links.list', { issue_id: id, ...fields });
      if (links.length === 0)
        throw new NotFoundError(`Issue ${id} is not linked to ${name}: see issues show.`);
      const done = await access.call('links.delete', { issue_id: id, ...fields });
      await emitChange(done, options, () => print(`Issue ${id} is no longer linked to ${printable(name)}.`));
    });
  });
}

function withEnds(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<issue>', 'the number of the issue', wholeNumber(1))
    .option('--conversation <conversation>', 'the ID of the conversation')
    .option('--scraping-error <number>', 'the number of the scraping error', wholeNumber(1))
    .addHelpText(
      'after',
      `\nExample:\n  backoffice issues ${verb} 42 --conversation conv_1769851800000_k3x9a2b`,
    );
}

/** The other end of a link, as the API takes it and as people call it. */
function targetOf({ conversation, scrapingError }: LinkOptions): {
  fields: Pick<InputOf<'links.list'>, 'conversation_id' | 'scraping_error_id'>;
  name: string;
} {
  if (conversation !== undefined && scrapingError === undefined) {
    return { fields: { conversation_id: conversation }, name: `conversation ${conversation}` };
  }
  if (scrapingError !== undefined && conversation === undefined) {
    return { fields: { scraping_error_id: scrapingError }, name: `scraping error ${scrapingError}` };
  }
  throw new UsageError('Say what it is about: --conversation or --scraping-error.');
}
