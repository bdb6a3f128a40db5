import { cut, wrap } from '../../../terminal/cells.ts';
import { printable } from '../../../terminal/text.ts';
import { titleRule } from '../../components/title-rule.ts';
import { keyHints } from '../../keys/key-hints.ts';
import type { App } from '../../state/app.ts';
import type { Size } from '../../state/screen-types.ts';
import { age, dateTime } from '../../text/age.ts';
import { severityPaint, statusPaint, theme } from '../../theme.ts';
import { commentLines } from '../comments/comment.ts';
import type { IssueDetail } from './detail.ts';

/** Returns the visible lines of an issue's details. */
export function issueDetailLines(
  app: Pick<App, 'keymap' | 'refusalOf'>,
  detail: IssueDetail,
  { width, height }: Size,
  now: number,
): string[] {
  const { id, issue, error, top } = detail;
  const title = titleRule(`#${id}`, width);
  if (issue === null)
    return [title, '', `  ${error === '' ? theme.quiet('Loading…') : theme.bad(`✗ ${error}`)}`];
  const lines = [...describe(issue, detail.links, width, now), ...comments(app, detail, width, now)];
  return [title, ...lines.slice(Math.min(top, Math.max(0, lines.length - height + 1)))];
}

function describe(
  issue: NonNullable<IssueDetail['issue']>,
  links: IssueDetail['links'],
  width: number,
  now: number,
): string[] {
  const { title, severity, status, category, created_at, updated_at, description, steps_to_reproduce } =
    issue;
  const assignee = issue.assignee ?? null;
  const text = (content: string, placeholder: string) =>
    content.trim() === ''
      ? [`  ${theme.quiet(placeholder)}`]
      : wrap(content, width - 4).map((line) => `  ${line}`);
  const head = [
    severityPaint(severity)(printable(severity)),
    statusPaint(status)(status),
    printable(category),
    assignee === null ? theme.quiet('not assigned') : printable(`@${assignee.username}`),
  ];
  return [
    ...wrap(title, width - 4).map((line) => `  ${theme.strong(line)}`),
    `  ${head.join(theme.quiet(' · '))}`,
    theme.quiet(
      `  created ${dateTime(created_at)} (${age(created_at, now)}), updated ${dateTime(updated_at)}`,
    ),
    ...links.map((link) => theme.accent(cut(`  → ${printable(describeSource(link))}`, width - 2))),
    '',
    ...text(description, 'No description.'),
    '',
    `  ${theme.title('Steps to reproduce')}`,
    ...text(steps_to_reproduce, 'No steps.'),
  ];
}

/** Returns the comments of the team. Without any, nothing. */
function comments(
  app: Pick<App, 'keymap' | 'refusalOf'>,
  { comments: shown, hasOlderComments }: IssueDetail,
  width: number,
  now: number,
): string[] {
  if (shown.length === 0) return [];
  const hint = keyHints(app, ['issues.comments', hasOlderComments ? 'shows all' : 'opens them']);
  return [
    '',
    `  ${theme.title('Comments')}  ${theme.quiet(hint.join(''))}`,
    ...shown.flatMap((comment, at) => [...(at === 0 ? [] : ['']), ...commentLines(comment, width, now)]),
  ];
}

/** Returns what an issue was reported from. */
function describeSource({
  conversation_id,
  conversation_subject,
  scraping_error_message,
}: IssueDetail['links'][number]): string {
  if (conversation_id === null) return `scraping error: ${scraping_error_message ?? 'deleted'}`;
  return `conversation: ${conversation_subject || 'no subject'}`;
}
