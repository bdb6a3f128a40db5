import { pages } from '../../../../src/contract/pages.ts';
import type { App } from '../../state/app.ts';
import type { RowSubject } from '../../state/screen-types.ts';
import { dateTime } from '../../text/age.ts';
import type { IssueRow } from './row.ts';

/** The texts of more issues would not fit onto the clipboard. */
const maxWhole = 100;

/** Returns what can be copied of issues: of the selected ones, or of the current one. */
export function issueSubject(app: App, rows: readonly IssueRow[]): RowSubject | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const pageOf = ({ id }: IssueRow) => `${pages.issues.path}?issue=${id}`;
  const name = rows.length === 1 ? `#${first.id}` : `${rows.length} issues`;
  return {
    short: {
      text: rows.map((row) => app.host.webUrl + pageOf(row)).join('\n'),
      name: rows.length === 1 ? `the link of ${name}` : `the links of ${name}`,
    },
    whole: {
      name,
      async read() {
        if (rows.length > maxWhole)
          throw new Error(`Select at most ${maxWhole} issues to copy them as text.`);
        const texts: string[] = [];
        for (const { id } of rows) texts.push(await readText(app, id));
        return texts.join('\n\n');
      },
    },
    page: pageOf(first),
  };
}

async function readText(app: App, id: number): Promise<string> {
  const found = await app.call('issues.list', { id, limit: 1 });
  const [issue] = 'issues' in found ? found.issues : [];
  if (issue === undefined) throw new Error(`Issue #${id} no longer exists.`);
  const { title, severity, status, category, created_at, description, steps_to_reproduce } = issue;
  const steps = steps_to_reproduce.trim() === '' ? [] : ['', 'Steps to reproduce', steps_to_reproduce.trim()];
  return [
    `#${id} ${title}`,
    `${severity}, ${status}, ${category}, created ${dateTime(created_at)} UTC`,
    ...(description.trim() === '' ? [] : ['', description.trim()]),
    ...steps,
  ].join('\n');
}
