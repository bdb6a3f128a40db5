import type { z } from 'zod';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import type { issueSchema } from '../../../../src/contract/schemas/issues.ts';
import { latestOnly } from '../../../../src/shared/latest-only.ts';
import { cut, wrap } from '../../../output/cells.ts';
import { printable } from '../../../output/text.ts';
import type { App } from '../../app.ts';
import { titleRule } from '../../components/frame.tsx';
import { age, moment } from '../../text/age.ts';
import { severityPaint, statusPaint, theme } from '../../theme.ts';

type Issue = z.infer<typeof issueSchema>;
type Link = OutputOf<'links.list'>['links'][number];

/** What is shown of one issue. */
export interface IssueDetail {
  readonly id: number;
  readonly issue: Issue | null;
  readonly links: readonly Link[];
  readonly error: string;
  readonly top: number;
}

/** Milliseconds on a row before its details are asked for: whoever scrolls past needs none. */
const rest = 60;

/** Loads the details of the issue under the cursor, and draws them. */
export function issueDetail(app: App, put: (detail: IssueDetail) => void) {
  let shown: IssueDetail | undefined;
  let pause: NodeJS.Timeout | undefined;
  /** What is shown was not loaded anew with the rest. */
  let isStale = false;
  const beginLook = latestOnly();
  const set = (detail: IssueDetail) => {
    shown = detail;
    put(detail);
  };
  const load = async (id: number) => {
    const isNewest = beginLook();
    try {
      const [found, { links }] = await Promise.all([
        app.call('issues.list', { id, limit: 1 }),
        app.call('links.list', { issue_id: id, limit: 20 }),
      ]);
      if (shown?.id !== id || !isNewest()) return;
      const issue = 'issues' in found ? (found.issues[0] ?? null) : null;
      set({ ...shown, issue, links, error: issue === null ? 'It is gone.' : '' });
    } catch (error) {
      if (shown?.id === id && isNewest()) set({ ...shown, error: app.explain(error) });
    }
  };
  return {
    show(id: number) {
      if (shown?.id === id && !isStale) return;
      isStale = false;
      if (shown?.id !== id) set({ id, issue: null, links: [], error: '', top: 0 });
      clearTimeout(pause);
      pause = setTimeout(() => void load(id), rest);
    },
    /** Nobody sees it any more: it is loaded anew when it is shown again, and what was seen stays until then. */
    leave() {
      isStale = true;
      clearTimeout(pause);
    },
    async refresh() {
      clearTimeout(pause);
      if (shown !== undefined) await load(shown.id);
    },
    scroll(by: number) {
      if (shown !== undefined) set({ ...shown, top: Math.max(0, shown.top + by) });
    },
    lines(detail: IssueDetail | null, width: number, height: number, now: number): string[] {
      if (detail === null) return [];
      const title = titleRule(`#${detail.id}`, width);
      if (detail.issue === null)
        return [
          title,
          '',
          `  ${detail.error === '' ? theme.quiet('Loading…') : theme.bad(`✗ ${detail.error}`)}`,
        ];
      const lines = describe(detail.issue, detail.links, width, now);
      const top = Math.min(detail.top, Math.max(0, lines.length - height + 1));
      return [title, ...lines.slice(top)];
    },
  };
}

function describe(issue: Issue, links: readonly Link[], width: number, now: number): string[] {
  const { title, severity, status, category, created_at, updated_at, description, steps_to_reproduce } =
    issue;
  const text = (part: string, otherwise: string) =>
    part.trim() === '' ? [`  ${theme.quiet(otherwise)}`] : wrap(part, width - 4).map((line) => `  ${line}`);
  const head = [
    severityPaint(severity)(printable(severity)),
    statusPaint(status)(status),
    printable(category),
  ];
  return [
    ...wrap(title, width - 4).map((line) => `  ${theme.strong(line)}`),
    `  ${head.join(theme.quiet(' · '))}`,
    theme.quiet(`  created ${moment(created_at)} (${age(created_at, now)}), updated ${moment(updated_at)}`),
    ...links.map((link) => theme.accent(cut(`  → ${printable(sourceOf(link))}`, width - 2))),
    '',
    ...text(description, 'No description.'),
    '',
    `  ${theme.title('Steps to reproduce')}`,
    ...text(steps_to_reproduce, 'None are given.'),
  ];
}

/** What an issue comes from, in words. */
function sourceOf({ conversation_id, conversation_subject, scraping_error_message }: Link): string {
  if (conversation_id === null) return `scraping error: ${scraping_error_message ?? 'gone'}`;
  return `conversation: ${conversation_subject || 'without a subject'}`;
}
