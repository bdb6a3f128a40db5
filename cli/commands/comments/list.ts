import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emit, type Format, listIn } from '../../output/emit.ts';
import { defaultRows } from '../../output/formats.ts';
import { counted } from '../../output/number.ts';
import { withLines } from '../../shown/with-table.ts';
import { outputWidth, print, remark } from '../../terminal.ts';
import { findSubject, type Subject, type SubjectOptions, withSubject } from './subject.ts';

const defaultLimit = 20;
const pageSize = 1_000;

interface CommentOptions extends Format, SubjectOptions {
  readonly limit?: number;
  readonly before?: string;
}

const list = listIn('comments.list', 'comments');

/** `backoffice comments list`: the comments on an issue or a conversation. */
export function listCommentsCommand(): Command {
  const command = withSubject(
    new Command('list').description('show the latest comments on an issue or a conversation, oldest first'),
  )
    .option('--limit <number>', 'maximum number of comments; 0 for all', wholeNumber(0))
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
      await withAccess(command, async (access) => {
        const { fields, name } = await findSubject(access, options);
        const wanted = limit ?? defaultRows(options, defaultLimit);
        const document = await readComments(access, fields, wanted, before);
        await emit(document, options, list, async () => {
          const { comments, nextCursor } = document;
          if (comments.length === 0) return remark(`No comments on ${name}.`);
          const { renderComments } = await import('../../output/comments.ts');
          print(renderComments(comments, outputWidth()));
          if (nextCursor === null) return;
          const { comments: older } = await readComments(access, fields, 0, nextCursor);
          remark(
            `\n${counted(older.length, 'older comment is', 'older comments are')} not shown. Use --limit 0 to show all, or --before ${nextCursor} to show the previous ones.`,
          );
        });
      });
    },
  );
}

/** Reads the latest comments, oldest first: so many, 0 for all, before a cursor if one is given. */
async function readComments(
  access: Access,
  subject: Subject['fields'],
  limit: number,
  before: string | undefined,
) {
  const wanted = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  let comments: OutputOf<'comments.list'>['comments'] = [];
  let cursor: string | null | undefined = before;
  do {
    const page: OutputOf<'comments.list'> = await access.call('comments.list', {
      ...subject,
      limit: Math.min(wanted - comments.length, pageSize),
      cursor: cursor ?? undefined,
    });
    comments = [...page.comments, ...comments];
    cursor = page.nextCursor ?? null;
  } while (cursor !== null && comments.length < wanted);
  return { comments, nextCursor: cursor };
}
