import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emit, type Format, listIn } from '../../output/emit.ts';
import { withLines } from '../../shown/with-table.ts';
import { outputWidth, print, remark } from '../../terminal.ts';
import { findSubject, type SubjectOptions, withSubject } from './subject.ts';

const defaultLimit = 20;
const maxLimit = 1_000;

interface CommentOptions extends Format, SubjectOptions {
  readonly limit: number;
  readonly before?: string;
}

const list = listIn('comments.list', 'comments');

/** `backoffice comments list`: the comments on an issue or a conversation. */
export function listCommentsCommand(): Command {
  const command = withSubject(
    new Command('list').description('show the latest comments on an issue or a conversation, oldest first'),
  )
    .option('--limit <number>', 'maximum number of comments', wholeNumber(1, maxLimit), defaultLimit)
    .option('--before <cursor>', 'only comments before this cursor, which an earlier call printed')
    .addHelpText(
      'after',
      `
Examples:
  backoffice comments list --issue 42
  backoffice comments list --conversation conv_1769851800000_k3x9a2b --json author,content`,
    );
  return runs(withLines(command, list), 'comments.list').action(
    async ({ limit, before, ...options }: CommentOptions) => {
      const { document, name } = await withAccess(command, async (access) => {
        const { fields, name } = await findSubject(access, options);
        const document = await access.call('comments.list', { ...fields, limit, cursor: before });
        return { document, name };
      });
      await emit(document, options, list, async () => {
        if (document.comments.length === 0) return remark(`No comments on ${name}.`);
        const { renderComments } = await import('../../output/comments.ts');
        print(renderComments(document.comments, outputWidth()));
        const { nextCursor } = document;
        if (typeof nextCursor === 'string')
          remark(`\nThere are older comments. Use --before ${nextCursor} to show them.`);
      });
    },
  );
}
