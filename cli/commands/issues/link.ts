import type { Command } from 'commander';
import { BackofficeError } from '../../../src/contract/errors.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { emitChange, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { findIssue } from './find.ts';
import { type LinkOptions, linkVerb, readLinkTarget } from './link-target.ts';

/** `backoffice issues link`. */
export function linkIssueCommand(): Command {
  const command = linkVerb('link', 'link an issue to a conversation or a scraping error');
  return runs(withFormats(command), 'links.create').action(async (id: number, options: LinkOptions) => {
    const { fields, name } = readLinkTarget(options);
    await withAccess(command, async (access) => {
      await findIssue(access, id);
      const done = await access
        .call('links.create', { issue_id: id, ...fields })
        .catch((error: unknown) => throwNotFound(error, name));
      await emitChange(done, options, () => print(`Linked issue ${id} to ${printable(name)}.`));
    });
  });
}

/** Throws the error of a link, with its own exit code if the other end does not exist. */
async function throwNotFound(error: unknown, name: string): Promise<never> {
  // Imported on demand, because it would slow down `--help`.
  const { linkErrors } = await import('../../../src/contract/operations/links.ts');
  const texts: readonly string[] = [
    linkErrors.unknownConversation.text,
    linkErrors.unknownScrapingError.text,
  ];
  if (error instanceof BackofficeError && texts.includes(error.message)) {
    throw new NotFoundError(`There is no ${name}.`, { cause: error });
  }
  throw error;
}
