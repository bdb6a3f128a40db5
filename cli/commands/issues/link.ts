import type { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitChange, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { findIssue } from './find.ts';
import { type LinkOptions, linkVerb, readLinkTarget, throwUnknownTarget } from './link-target.ts';

/** `backoffice issues link`. */
export function linkIssueCommand(): Command {
  const command = linkVerb('link', 'link an issue to a conversation or a scraping error');
  return runs(withFormats(command), 'links.create').action(async (id: number, options: LinkOptions) => {
    const { fields, name } = readLinkTarget(options);
    await withAccess(command, async (access) => {
      await findIssue(access, id);
      const done = await access
        .call('links.create', { issue_id: id, ...fields })
        .catch((error: unknown) => throwUnknownTarget(error, options));
      await emitChange(done, options, () => print(`Linked issue ${id} to ${printable(name)}.`));
    });
  });
}
