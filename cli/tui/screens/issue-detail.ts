import type { z } from 'zod';
import type { issueSchema } from '../../../src/contract/issues.ts';
import { printable } from '../../output/text.ts';
import type { App } from '../app.ts';
import { rule } from '../components/frame.tsx';
import { age, moment } from '../text/age.ts';
import { wrap } from '../text/cells.ts';
import { severityPaint, statusPaint, theme } from '../theme.ts';

type Issue = z.infer<typeof issueSchema>;

/** What is shown of one issue. */
export interface IssueDetail {
  readonly id: number;
  readonly issue: Issue | null;
  readonly error: string;
  readonly top: number;
}

/** Milliseconds on a row before its details are asked for: whoever scrolls past needs none. */
const rest = 60;

/** Loads the details of the issue under the cursor, and draws them. */
export function issueDetail(app: App, put: (detail: IssueDetail) => void) {
  let shown: IssueDetail | undefined;
  let pause: NodeJS.Timeout | undefined;
  const set = (detail: IssueDetail) => {
    shown = detail;
    put(detail);
  };
  const load = async (id: number) => {
    try {
      const found = await app.call('issues.list', { id, limit: 1 });
      const issue = 'issues' in found ? (found.issues[0] ?? null) : null;
      if (shown?.id === id) set({ ...shown, issue, error: issue === null ? 'It is gone.' : '' });
    } catch (error) {
      if (shown?.id === id) set({ ...shown, error: app.explain(error) });
    }
  };
  return {
    show(id: number) {
      if (shown?.id === id) return;
      set({ id, issue: null, error: '', top: 0 });
      clearTimeout(pause);
      pause = setTimeout(() => void load(id), rest);
    },
    /** The next look loads it anew; what is seen stays until then. */
    forget() {
      if (shown !== undefined) void load(shown.id);
    },
    scroll(by: number) {
      if (shown !== undefined) set({ ...shown, top: Math.max(0, shown.top + by) });
    },
    lines(detail: IssueDetail | null, width: number, height: number, now: number): string[] {
      if (detail === null) return [];
      const title = rule(`#${detail.id}`, width);
      if (detail.issue === null)
        return [
          title,
          '',
          `  ${detail.error === '' ? theme.quiet('Loading…') : theme.bad(`✗ ${detail.error}`)}`,
        ];
      const lines = describe(detail.issue, width, now);
      const top = Math.min(detail.top, Math.max(0, lines.length - height + 1));
      return [title, ...lines.slice(top)];
    },
  };
}

function describe(issue: Issue, width: number, now: number): string[] {
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
    '',
    ...text(description, 'No description.'),
    '',
    `  ${theme.title('Steps to reproduce')}`,
    ...text(steps_to_reproduce, 'None are given.'),
  ];
}
