import type { OutputOf } from '../../src/contract/registry.ts';
import { emit } from '../output/emit.ts';
import { listIn } from '../output/formats.ts';
import { outputWidth, print } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import type { ListedComment } from '../terminal/thread.ts';
import { ago, dateAndTime } from '../terminal/time.ts';
import { paint, paintSeverity, paintStatus } from '../terminal/tones.ts';
import { findRow } from '../verb/rows.ts';
import { calling } from '../verb/verb.ts';
import { type Issue, issue as kind } from './kinds.ts';

type Link = OutputOf<'links.list'>['links'][number];

/** The newest comments are shown. `comments list` shows all. */
const maxComments = 20;

const included = 'assignee,labels';

/** One issue, its links and its comments. */
export const showIssue = calling(['issues.list', 'links.list', 'comments.list'], {
  about: 'show an issue, its links and its latest comments',
  params: { issue: kind.key },
  fields: async () => [
    'issue',
    'links',
    'comments',
    ...(await listIn('issues.list', 'issues').fields(included)),
  ],
  web: { page: 'issues', search: ({ issue }) => ({ issue: String(issue) }) },
  examples: ['backoffice issues show 42'],
  async run({ given: { issue: issue_id }, format, access }) {
    const issue = await findRow(kind, access, issue_id, included);
    const { links } = await access.call('links.list', { issue_id });
    const { comments } = await access.call('comments.list', { issue_id, limit: maxComments });
    await emit({ issue, links, comments }, format, 'issue', async () =>
      print(await render(issue, links, comments)),
    );
  },
});

async function render(
  issue: Issue,
  links: readonly Link[],
  comments: readonly ListedComment[],
): Promise<string> {
  const { renderComments, indented } = await import('../terminal/thread.ts');
  const { wrap } = await import('../terminal/cells.ts');
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
