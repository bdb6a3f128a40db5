import type { Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { readThread } from '../../access/thread.ts';
import { UsageError } from '../../errors.ts';
import { issueNumber } from '../../input/ids.ts';
import { printable } from '../../output/text.ts';
import { findIssue } from '../issues/find.ts';

export interface SubjectOptions {
  readonly issue?: number;
  readonly conversation?: string;
}

/** Adds the options that say what a comment is on. */
export function withSubject(command: Command): Command {
  return command
    .option('--issue <number>', 'the number of the issue', issueNumber)
    .option('--conversation <conversation>', 'the ID of the conversation');
}

/** What a comment is on: its field for the API, and its name for people. */
export interface Subject {
  readonly fields: Pick<InputOf<'comments.create'>, 'issue_id' | 'conversation_id'>;
  readonly name: string;
}

/** Reads what a comment is on, and makes sure that it exists. */
export async function findSubject(access: Access, { issue, conversation }: SubjectOptions): Promise<Subject> {
  if (issue !== undefined && conversation === undefined) {
    await findIssue(access, issue);
    return { fields: { issue_id: issue }, name: `issue ${issue}` };
  }
  if (conversation !== undefined && issue === undefined) {
    await readThread(access, conversation, 1);
    return {
      fields: { conversation_id: conversation },
      name: `conversation ${printable(conversation)}`,
    };
  }
  throw new UsageError('Use either --issue or --conversation.');
}
