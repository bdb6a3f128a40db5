import { stripVTControlCharacters } from 'node:util';
import { maxDeletedRows } from '../../../src/contract/fields/bounds.ts';
import { issues as noun } from '../../../src/contract/fields/issues.ts';
import { pages } from '../../../src/contract/pages.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { cut, wrap } from '../../terminal/cells.ts';
import { listColumns } from '../../terminal/columns.ts';
import { grouped, printable } from '../../terminal/text.ts';
import { commentLines, type ListedComment } from '../../terminal/thread.ts';
import { age } from '../../terminal/time.ts';
import { assigneeNames } from '../../verb/people.ts';
import type { App } from '../app/app.ts';
import { action, type Part, type Screen } from '../app/types.ts';
import { factsOf, noneYet, textsOf, timesOf } from '../draw/describe.ts';
import { style, threadLook } from '../draw/style.ts';
import { following } from '../list/following.ts';
import { listScreen } from '../list/list-screen.ts';
import { cursorRows } from '../list/sources.ts';
import { asking } from '../parts/asking.ts';
import { changing } from '../parts/changing.ts';
import { commenting, readComments } from '../parts/commenting.ts';
import { copying } from '../parts/copying.ts';
import { deleting } from '../parts/deleting.ts';
import { detail } from '../parts/detail.ts';
import { editing, valuesOf } from '../parts/editing.ts';
import { changeText, type Entry, history } from '../parts/history.ts';
import { linking } from '../parts/linking.ts';
import { openReport } from '../parts/reporting.ts';
import { selecting } from '../parts/selecting.ts';
import { assigning, labelling, words } from '../parts/setting.ts';

type Issue = Extract<OutputOf<'issues.list'>, { issues: unknown }>['issues'][number];
/** An issue without its long texts: a list may hold many. */
type Row = Omit<Issue, 'description' | 'steps_to_reproduce'>;
type Link = OutputOf<'links.list'>['links'][number];

const include = 'assignee,labels';
const toRow = ({ description: _text, steps_to_reproduce: _steps, ...row }: Issue): Row => row;
const nameOf = ({ id }: Pick<Row, 'id'>) => `#${id}`;
const columns = listColumns<Row>(noun, {
  title: 0,
  severity: 1,
  status: 0,
  category: 4,
  labels: 5,
  assignee: 3,
  created_at: 2,
});

export function issuesScreen(app: App, startView?: string): Screen {
  const rows = cursorRows(app, 'issues.list', { include }, toRow);
  const figures = issueFigures(app);
  const selection = selecting(app, rows, 'issue');
  const changes = changing(app, rows, selection, { operation: 'issues.update', one: 'issue', nameOf });
  const asked = asking(app, rows, {
    noun,
    columns,
    used: figures.used,
    hidden: ['assignee', 'updated_at'],
    letters: { severity: 'v' },
    views: {
      list: 'issues',
      builtIn: { Unresolved: 'status:open,inprogress', All: '' },
    },
  });
  const reveal = (id: string | number) => asked.filter(`id:${id}`);
  const screen = listScreen<Row>(
    {
      id: 'issues',
      title: 'Issues',
      columns: asked.columns,
      isSelected: selection.has,
      reveal,
      isDone: ({ status }) => status === 'Resolved' || status === 'Closed',
      empty: () =>
        rows.asked().text === '' || figures.areNone()
          ? noneYet(app, 'No issues yet.', 'issues.create', 'reports one.')
          : 'No issue matches.',
      async find(text) {
        const id = /^(?:issue )?#?(\d+)$/.exec(text)?.[1];
        const by = id === undefined ? { q: text } : { id: Number(id) };
        const found = await app.call('issues.list', { limit: 5, ...by });
        return ('issues' in found ? found.issues : []).map((issue) => ({
          title: `#${issue.id} ${printable(issue.title)}`,
          run: () => app.visit('issues', issue.id),
        }));
      },
    },
    rows,
    [
      changes,
      selection,
      detail(app, rows, {
        titleOf: ({ id }) => `#${id}`,
        load: ({ id }) => loadIssue(app, id),
        lines: issueLines,
        isAbout: ({ type, subject_id, data }, { id }) =>
          /^(issue|link|comment)/.test(type) &&
          (subject_id === String(id) ||
            ('issue_id' in data && data.issue_id === id) ||
            ('ids' in data && (data.ids as readonly unknown[]).includes(id))),
      }),
      asked,
      figures,
      following(app, rows, noun, /^label\./),
      words(
        app,
        changes,
        noun,
        { status: 's', severity: 'p', category: 't' },
        (field) => figures.used()?.[field] ?? [],
      ),
      assigning(app, changes),
      labelling(app, changes),
      editing(app, rows, noun, {
        operation: 'issues.update',
        nameOf,
        read: async ({ id }) => valuesOf(noun, 'edit', await readIssue(app, id)),
      }),
      commenting(app, rows, ({ id }) => ({ issue_id: id }), nameOf),
      history(app, rows, noun, nameOf),
      linking(app, rows, async ({ id }) =>
        (await app.call('links.list', { issue_id: id, limit: 20 })).links.flatMap((link) =>
          link.conversation_id === null
            ? []
            : [{ title: sourceOf(link), screen: 'conversations', key: link.conversation_id }],
        ),
      ),
      copying(app, rows, {
        path: ({ id }) => `${pages.issues.path}?issue=${id}`,
        whole: async ({ id }) => {
          const lines = issueLines(await loadIssue(app, id), Number.POSITIVE_INFINITY);
          return stripVTControlCharacters([`#${id}`, ...lines.map((line) => line.slice(2))].join('\n'));
        },
      }),
      reporting(app, rows.reveal),
      deleting(app, rows, changes, {
        calls: 'issues.delete',
        title: 'Delete issues',
        including: 'with all comments',
        atOnce: maxDeletedRows,
        remove: (ids) => app.call('issues.delete', { id: ids.join(',') }),
      }),
    ],
  );
  asked.openView(startView);
  return screen;
}

/** How many issues have each status, and the words that they have. */
function issueFigures(app: App): Part & {
  used(): Readonly<Record<string, readonly string[]>> | undefined;
  areNone(): boolean;
} {
  let found: Extract<OutputOf<'issues.list'>, { statusCounts: unknown }> | undefined;
  return {
    used: () =>
      found && {
        severity: found.severityTotals.map(({ severity }) => severity),
        category: found.categoryCounts.map(({ category }) => category),
      },
    areNone: () => found?.statusCounts.length === 0,
    figures: () =>
      found &&
      style.quiet(found.statusCounts.map(({ status, count }) => `${status} ${grouped(count)}`).join('  ')),
    async refresh() {
      const answer = await app.call('issues.list', { period: 'all' });
      if ('statusCounts' in answer) found = answer;
    },
  };
}

interface Loaded {
  readonly issue: Issue;
  readonly links: readonly Link[];
  readonly comments: readonly ListedComment[];
  readonly changes: readonly Entry[];
}

async function readIssue(app: App, id: number): Promise<Issue> {
  const found = await app.call('issues.list', { id, limit: 1, include });
  if (!('issues' in found) || found.issues[0] === undefined)
    throw new Error(`Issue #${id} no longer exists.`);
  return found.issues[0];
}

async function loadIssue(app: App, id: number): Promise<Loaded> {
  const [issue, { links }, comments, { history: changes }] = await Promise.all([
    readIssue(app, id),
    app.call('links.list', { issue_id: id, limit: 20 }),
    readComments(app, { issue_id: id }),
    app.call('issues.history', { id, limit: 5 }),
  ]);
  return { issue, links, comments, changes: await assigneeNames(app)(changes) };
}

/** Returns what an issue was reported from. */
const sourceOf = (link: Link) =>
  link.conversation_id === null
    ? `scraping error: ${link.scraping_error_message ?? 'deleted'}`
    : `conversation: ${link.conversation_subject || 'no subject'}`;

function issueLines({ issue, links, comments, changes }: Loaded, cells: number): readonly string[] {
  const now = Date.now();
  const room = cells - 4;
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style.title(heading), ...lines];
  const changeLine = (entry: Entry) =>
    `${style.quiet(age(entry.at, now).padStart(4))}  ${cut(changeText(entry), room - 6)}`;
  return [
    ...wrap(issue.title, room).map(style.strong),
    factsOf(noun, issue),
    timesOf(noun, issue, now),
    ...links.map((link) => style.accent(cut(`→ ${printable(sourceOf(link))}`, room))),
    ...textsOf(noun, issue, room),
    ...section('Changes', changes.map(changeLine)),
    ...section(
      'Comments',
      comments.flatMap((comment) => commentLines(comment, room, threadLook())),
    ),
  ].map((line) => `  ${line}`);
}

const reporting = (app: App, reported: (id: number) => unknown): Part => ({
  actions: [
    action('issues.create', 'n', { title: 'Report an issue', hint: 'new', calls: 'issues.create' }, () =>
      openReport(app, { name: 'new issue', reported }),
    ),
  ],
});
