import type { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { emitChange, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { type LinkOptions, linkVerb, readLinkTarget } from './link-target.ts';

/** `backoffice issues unlink`. */
export function unlinkIssueCommand(): Command {
  const command = linkVerb('unlink', 'remove the link between an issue and a conversation or scraping error');
  return runs(withFormats(command), 'links.delete').action(async (id: number, options: LinkOptions) => {
    const { fields, name } = readLinkTarget(options);
    await withAccess(command, async (access) => {
      const { links } = await access.call('links.list', { issue_id: id, ...fields });
      if (links.length === 0)
        throw new NotFoundError(
          `Issue ${id} is not linked to ${name}. Run \`backoffice issues show ${id}\` to see its links.`,
        );
      const done = await access.call('links.delete', { issue_id: id, ...fields });
      await emitChange(done, options, () => print(`Issue ${id} is no longer linked to ${printable(name)}.`));
    });
  });
}
