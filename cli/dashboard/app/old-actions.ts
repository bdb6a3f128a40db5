/** What an action of version 0.2 did, and what does that now. Null: it is gone. */
type Renamed = Readonly<Record<string, string | null>>;

const screens = ['overview', 'issues', 'charts', 'conversations', 'settings', 'admins', 'usage', 'audit'];

/** Actions of lists and rows, which each screen had under its own name. */
const onLists: Renamed = {
  open: 'list.detail',
  view: 'list.status',
  views: 'list.views',
  columns: 'list.columns',
  select: 'list.select',
  selectAll: 'list.selectAll',
  range: 'list.selectRange',
  undo: 'undo',
  status: 'row.status',
  assign: 'row.assignee',
  comment: 'row.comment',
  comments: 'row.comments',
  edit: 'row.edit',
  external: 'row.editor',
  delete: 'row.delete',
  scrollDown: 'detail.down',
  scrollUp: 'detail.up',
  sortCreated: 'list.sort.created_at',
  sortUpdated: 'list.sort.updated_at',
  sortAge: 'list.sort.updated_at',
  sortSeverity: 'list.sort.severity',
  sortEmail: 'list.sort.email',
  sortUsername: 'list.sort.username',
  sort: null,
  reverse: null,
  unread: null,
  follow: null,
  nextPage: null,
  previousPage: null,
  sortStatus: null,
  sortCategory: null,
  sortTitle: null,
  sortAssignee: null,
  sortId: null,
  sortNew: null,
  sortVisitor: null,
  sortSubject: null,
};

const moves: Renamed = {
  down: 'move.down',
  up: 'move.up',
  pageDown: 'move.pageDown',
  pageUp: 'move.pageUp',
  halfDown: 'move.halfDown',
  halfUp: 'move.halfUp',
  first: 'move.first',
  last: 'move.last',
};

/** By the scope of an action. */
const scopes: Readonly<Record<string, Renamed>> = {
  everywhere: { back: 'back', leave: 'leave', redraw: 'redraw', suspend: 'suspend' },
  global: {
    ...Object.fromEntries(screens.map((id) => [id, `screen.${id}`])),
    next: 'screen.next',
    previous: 'screen.previous',
    palette: 'palette',
    help: 'help',
    log: 'changes',
    refresh: 'refresh',
    theme: 'theme',
    notify: 'notify',
    quit: 'quit',
  },
  list: moves,
  row: { copyWhole: 'row.copyText' },
  search: { open: 'list.filter' },
  issues: onLists,
  conversations: { ...onLists, open: 'thread.open' },
  settings: onLists,
  admins: onLists,
  audit: onLists,
  errors: { issue: 'usage.issue' },
  talk: {
    ...onLists,
    reply: 'conversations.reply',
    external: 'conversations.editor',
    issue: 'conversations.issue',
    approve: 'conversations.approve',
    revise: 'conversations.revise',
    reject: 'conversations.reject',
    read: 'conversations.markRead',
    unread: 'conversations.markUnread',
    resend: 'conversations.resend',
  },
  help: { ...moves, close: null },
  log: { undo: null, close: null },
  choice: { take: 'menu.take', first: null, second: null, third: null, fourth: null },
  comments: { create: null, edit: 'menu.take', delete: 'menu.delete' },
  views: { take: 'menu.take', delete: 'menu.delete', columns: null },
  columns: { toggle: 'menu.take', done: null },
  picker: { ...moves, take: 'menu.take' },
  palette: { ...moves, run: 'menu.take' },
  filter: { done: 'filter.keep' },
  form: { submit: 'form.save' },
  editor: {
    submit: 'form.save',
    newline: 'form.newline',
    next: 'form.next',
    previous: 'form.previous',
    up: 'text.up',
    down: 'text.down',
  },
  compose: { external: 'form.editor' },
};

/** Returns what an action of any version is called now; null if it is gone. */
export function actionNow(id: string): string | null {
  const [scope = '', what = ''] = id.split('.');
  const renamed = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  return renamed !== undefined && Object.hasOwn(renamed, what) ? (renamed[what] ?? null) : id;
}
