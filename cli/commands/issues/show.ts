import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { issueNumber } from '../../input/ids.ts';
import { paint, paintSeverity, paintStatus } from '../../output/colours.ts';
import type { ListedComment } from '../../output/comments.ts';
import { emit, type Format, listIn, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { ago, dateAndTime } from '../../output/time.ts';
import { withWebPage } from '../../shown/present.ts';
import { outputWidth, print } from '../../terminal.ts';
import { findIssue, type ListedIssue } from './find.ts';

type Link = OutputOf<'links.list'>['links'][number];

/** The newest comments are shown. `comments list` shows all. */
const maxComments = 20;

interface Shown {
  readonly issue: ListedIssue;
  readonly links: readonly Link[];
  readonly comments: readonly ListedComment[];
}

const issues = listIn('issues.list', 'issues');
const fields = async () => ['issue', 'links', 'comments', ...(await issues.fields('assignee,labels'))];

/** `backoffice issues show`: one issue, its links and its comments. */
export function showIssueCommand(): Command {
  const command = new Command('show')
    .description('show an issue, its links and its latest comments')
    .argument('<issue>', 'the number of the issue', issueNumber)
    .addHelpText('after', '\nExample:\n  backoffice issues show 42');
  withWebPage(withFormats(command, fields), {
    page: 'issues',
    search: ([issue]) => ({ issue: String(issue) }),
  });
  return runs(command, 'issues.list', 'links.list', 'comments.list').action(
    async (id: number, format: Format) => {
      const document = await withAccess(command, async (access) => {
        const issue = await findIssue(access, id, 'assignee,labels');
        const { links } = await access.call('links.list', { issue_id: id });
        const { comments } = await access.call('comments.list', { issue_id: id, limit: maxComments });
        return { issue, links, comments };
      });
      await emit(document, format, 'issue', async () => print(await render(document)));
    },
  );
}

async function render({ issue, links, comments }: Shown): Promise<string> {
  const { renderComments } = await import('../../output/comments.ts');
  const { indented } = await import('../../output/thread.ts');
  const { wrap } = await import('../../output/cells.ts');
  const section = (heading: string, text: string) =>
    text === '' ? [] : [paint('bold')(heading), ...indented(text, '  ', outputWidth())];
  const { id, title, status, severity, category, created_at, updated_at, assignee, labels = [] } = issue;
  const severityName = printable(severity);
  const parts = [
    [
      paint('bold')(printable(title)),
      `issue ${id} · ${paintStatus(status, status)} · ${paintSeverity(severityName, severity)} · ${printable(category)}`,
      ...(assignee ? [`assigned to ${printable(assignee.email)}`] : []),
      ...(labels.length > 0 ? wrap(`labels: ${labels.join(', ')}`, outputWidth()) : []),
      ...wrap(
        `reported ${dateAndTime(created_at)}, ${ago(created_at)}; changed ${ago(updated_at)}`,
        outputWidth(),
      ),
    ],
    section('Description', issue.description),
    section('Steps to reproduce', issue.steps_to_reproduce),
    links.length === 0 ? [] : [paint('bold')('Links'), ...links.map(describeLink)],
    comments.length === 0 ? [] : [paint('bold')('Comments'), renderComments(comments, outputWidth())],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function describeLink(link: Link): string {
  const { conversation_id, conversation_subject, scraping_error_id, scraping_error_message } = link;
  const subject = conversation_subject === '' ? '(no subject)' : conversation_subject;
  const what =
    conversation_id === null
      ? `scraping error ${scraping_error_id}: ${scraping_error_message}`
      : `conversation ${conversation_id}: ${subject}`;
  const by = link.created_by === null ? '' : ` by ${link.created_by}`;
  return printable(`  ${what} (${ago(link.created_at)}${by})`);
}
