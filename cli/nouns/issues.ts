import { history } from '../../src/contract/fields/changes.ts';
import { issues as noun } from '../../src/contract/fields/issues.ts';
import { UsageError } from '../errors.ts';
import { canEdit } from '../input/long-text.ts';
import { recomputeOf } from '../operate/recompute.ts';
import { bulk, removeMany } from '../verb/bulk.ts';
import { emitDone } from '../verb/change.ts';
import { pages } from '../verb/list.ts';
import { last, longText, maybe, number, option, required, text } from '../verb/parameters.ts';
import { assigneeNames, assignmentOf, toAssigneeId } from '../verb/people.ts';
import { findRow } from '../verb/rows.ts';
import { calling, verbs } from '../verb/verb.ts';
import { stats, trend } from './issue-charts.ts';
import { type Edited, editIssue, editing, isNothing, toSet, writeIssue } from './issue-editing.ts';
import { link, throwUnknownTarget, unlink } from './issue-links.ts';
import { showIssue } from './issue-page.ts';
import { issue, manyIssues } from './kinds.ts';

const { title, status, severity, category, assignee_id, labels } = noun.fields;

/** The issue tracker. */
export const issues = verbs('backoffice issues list --status Open', {
  list: pages('issues.list', 'issues', {
    about: 'list issues, newest first',
    of: noun,
    search: 'only if they contain these words, in any order',
    columns: ['id', 'title', 'severity', 'status', ['category', 2], ['created_at', 1]],
    web: {
      page: 'issues',
      takes: [
        'status',
        'severity',
        'category',
        'assignee',
        'label',
        'since',
        'until',
        'sort',
        ['search', 'q'],
      ],
    },
    examples: [
      'backoffice issues list --status Open --severity Critical --since 7d',
      'backoffice issues list --assignee ada@example.com --include assignee',
      'backoffice issues list --label billing,urgent --include labels',
      'backoffice issues list --search checkout --json id,title',
    ],
  }),

  show: showIssue,

  create: calling('issues.create', {
    about: 'report an issue',
    params: {
      summary: maybe({
        ...option(title, 'a short summary of the problem; omit it to write the issue in your editor'),
        term: 'title',
      }),
      title: option(title, 'the title, instead of the argument'),
      severity: option(severity, `${severity.words.join(', ')}, or another`),
      category: option(category, 'what it is about'),
      description: longText('what happens'),
      steps: longText('steps to reproduce it'),
      label: option(labels, 'a label of it'),
      fromConversation: text('the ID of the conversation that reported it', 'conversation', 'conversations'),
      fromScrapingError: number('the number of the scraping error that caused it', 1),
    },
    examples: [
      'backoffice issues create',
      'backoffice issues create "Checkout does nothing" --severity High --label mobile,urgent',
      'backoffice issues create "Invoices are not sent" --from-conversation conv_1769851800000_k3x9a2b',
      'journalctl -u shop -n 50 | backoffice issues create "Shop crashes" --description -',
    ],
    async run({ given, format, access }) {
      const { summary, title = summary, label, fromConversation, fromScrapingError, ...fields } = given;
      if (summary !== undefined && title !== summary)
        throw new UsageError('Give the title as the argument or as --title, not as both.');
      const source = { conversation_id: fromConversation, scraping_error_id: fromScrapingError };
      const create = async ({ title = '', severity, category, description, steps }: Edited) => {
        const issue = { title, description, steps_to_reproduce: steps, labels: label ?? [], ...source };
        // An empty field has the default.
        const words = { severity: severity || undefined, category: category || undefined };
        const created = await access
          .call('issues.create', { ...issue, ...words })
          .catch((error: unknown) => throwUnknownTarget(error, source));
        await emitDone(created, format, `Reported issue ${created.id}.`);
      };
      await (title === undefined ? writeIssue(fields, create) : create({ ...fields, title }));
    },
  }),

  edit: bulk({
    about: 'change an issue in your editor, or issues by options',
    of: manyIssues,
    params: editing,
    async instead(ids, edited, { format, access }) {
      const [only, another] = ids;
      const isOne = only !== undefined && another === undefined;
      if (!isOne && [edited.title, edited.description, edited.steps].some((each) => each !== undefined))
        throw new UsageError('--title, --description and --steps need the number of one issue.');
      if (!isNothing(edited)) return false;
      if (!isOne || !canEdit())
        throw new UsageError('Say what to change, such as --title or --severity High.');
      await editIssue(access, only, format);
      return true;
    },
    set: toSet,
    ask: (rows) => `Change ${rows}?`,
    aliases: ['update'],
    notes: `The editor is that of the variable VISUAL or EDITOR. What somebody else changes meanwhile is never overwritten.`,
    examples: [
      'backoffice issues edit 42',
      'backoffice issues edit 42 --title "Checkout button does nothing" --severity High',
      'backoffice issues edit 41 42 43 --add-label billing --remove-label invoices',
      'backoffice issues edit 42 --description - < description.txt',
      "backoffice issues edit --filter 'status:open older:1y' --status Closed --dry-run",
    ],
  }),

  'set-status': bulk({
    about: 'change the status of issues',
    of: manyIssues,
    params: { status: last(option(status)) },
    set: ({ status }) => ({ status }),
    ask: (rows, { status }) => `Set ${rows} to ${status}?`,
    done: (id, { status }) => `Issue ${id} is ${status}.`,
    examples: [
      'backoffice issues set-status 41 42 43 Closed',
      "backoffice issues set-status Closed --filter 'severity:low status:open older:365d' --dry-run",
      'backoffice issues list --status Resolved --until 90d --quiet | backoffice issues set-status - Closed',
    ],
  }),

  assign: bulk({
    about: 'assign issues to an admin',
    of: manyIssues,
    params: { to: required(option(assignee_id, 'the admin')) },
    set: async ({ to }, access) => ({ assignee_id: await toAssigneeId(access, to) }),
    ask: (rows, { to }) => `${assignmentOf(rows, to)}?`,
    examples: [
      'backoffice issues assign 41 42 --to ada@example.com',
      "backoffice issues assign --filter 'severity:critical status:open assignee:none' --to me",
    ],
  }),

  delete: removeMany({
    about: 'delete issues with their history, links and comments; this cannot be undone',
    of: manyIssues,
    ask: (rows, count) =>
      `Delete ${rows} with ${count === 1 ? 'its' : 'their'} history, links and comments? This cannot be undone.`,
    examples: [
      'backoffice issues delete 41 42 --dry-run',
      "backoffice issues delete --filter 'status:closed older:2y'",
    ],
  }),

  history: pages('issues.history', 'history', {
    about: 'list the changes of an issue, newest first',
    of: history,
    key: 'change_id',
    params: { issue: issue.key },
    input: async ({ issue: id }, access) => ({ id: String((await findRow(issue, access, id)).id) }),
    columns: ['change_id', 'field', 'before', 'after', ['actor', 2], ['door', 1], 'at'],
    shown: assigneeNames,
    web: { page: 'issues', search: ({ issue }) => ({ issue: String(issue), tab: 'history' }) },
    examples: ['backoffice issues history 42'],
  }),

  link,
  unlink,
  stats,
  trend,
  recount: recomputeOf('issues'),
});
