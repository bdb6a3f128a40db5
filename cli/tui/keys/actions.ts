/**
 * The only table of keys. Handlers, the footer's hints, the `?` help and the `:` palette all use it, and keys.json can
 * give an action other keys (`remap.ts`).
 */
export interface Action {
  /** `<scope>.<name>`, also its name in keys.json. */
  readonly id: string;
  readonly keys: readonly string[];
  /** What it does, in the imperative, for the help and the palette. */
  readonly title: string;
  /** A word or two for the footer. */
  readonly hint?: string;
  /** A word for the footer after the first stroke of its key. */
  readonly next?: string;
  /** It changes data, so --read-only refuses it. */
  readonly changes?: true;
  /** It changes the current row, so it is refused while the screen says that nobody with this role may. */
  readonly changesRow?: true;
}

export const actions = [
  { id: 'everywhere.back', keys: ['esc'], title: 'Go back one step' },
  { id: 'everywhere.leave', keys: ['ctrl+c'], title: 'Quit' },
  { id: 'everywhere.redraw', keys: ['ctrl+l'], title: 'Redraw the screen' },
  { id: 'everywhere.suspend', keys: ['ctrl+z'], title: 'Suspend, until `fg` in the shell' },

  { id: 'global.overview', keys: ['0'], title: 'Go to the overview' },
  { id: 'global.issues', keys: ['1'], title: 'Go to the issues' },
  { id: 'global.charts', keys: ['2'], title: 'Go to the charts' },
  { id: 'global.conversations', keys: ['3'], title: 'Go to the conversations' },
  { id: 'global.settings', keys: ['4'], title: 'Go to the settings' },
  { id: 'global.admins', keys: ['5'], title: 'Go to the admins' },
  { id: 'global.usage', keys: ['6'], title: 'Go to the usage' },
  { id: 'global.audit', keys: ['7'], title: 'Go to the audit trail' },
  { id: 'global.next', keys: ['tab'], title: 'Go to the next screen' },
  { id: 'global.previous', keys: ['shift+tab'], title: 'Go to the previous screen' },
  { id: 'global.palette', keys: [':'], title: 'Run a command by name', hint: 'commands' },
  { id: 'global.help', keys: ['?'], title: 'Show the keys', hint: 'help' },
  { id: 'global.log', keys: ['L'], title: 'Show the log of this session: what you have changed' },
  { id: 'global.refresh', keys: ['ctrl+r'], title: 'Refresh the screen' },
  { id: 'global.theme', keys: [], title: 'Change the theme' },
  { id: 'global.notify', keys: [], title: 'Notify of new Critical issues and messages' },
  { id: 'global.quit', keys: ['q'], title: 'Quit', hint: 'quit' },

  { id: 'list.down', keys: ['j', 'down'], title: 'Down one line' },
  { id: 'list.up', keys: ['k', 'up'], title: 'Up one line' },
  { id: 'list.pageDown', keys: ['pagedown', 'ctrl+f'], title: 'Down one page' },
  { id: 'list.pageUp', keys: ['pageup', 'ctrl+b'], title: 'Up one page' },
  { id: 'list.halfDown', keys: ['ctrl+d'], title: 'Down half a page' },
  { id: 'list.halfUp', keys: ['ctrl+u'], title: 'Up half a page' },
  { id: 'list.first', keys: ['g', 'home'], title: 'To the first line' },
  { id: 'list.last', keys: ['G', 'end'], title: 'To the last line' },

  { id: 'row.copy', keys: ['y'], title: 'Copy the link, the number or the e-mail', hint: 'copy' },
  { id: 'row.copyWhole', keys: ['Y'], title: 'Copy the whole as text' },
  { id: 'row.browse', keys: ['b'], title: 'Open in the web dashboard', hint: 'browser' },

  { id: 'search.open', keys: ['/'], title: 'Filter as you type', hint: 'filter' },

  { id: 'overview.open', keys: ['enter'], title: 'Go to what the figure counts', hint: 'go there' },
  { id: 'overview.right', keys: ['l', 'right'], title: 'To the next figure' },
  { id: 'overview.left', keys: ['h', 'left'], title: 'To the previous figure' },

  { id: 'issues.open', keys: ['enter'], title: 'Show or hide the details', hint: 'details' },
  { id: 'issues.status', keys: ['s'], title: 'Change the status', hint: 'status', changes: true },
  { id: 'issues.edit', keys: ['e'], title: 'Edit the texts of the issue', hint: 'edit', changes: true },
  { id: 'issues.external', keys: ['E'], title: 'Edit the description in your editor', changes: true },
  { id: 'issues.assign', keys: ['A'], title: 'Assign to somebody', hint: 'assign', changes: true },
  { id: 'issues.comment', keys: ['+'], title: 'Write a comment', hint: 'comment', changes: true },
  { id: 'issues.comments', keys: ['C'], title: 'Show the comments, to edit or delete one' },
  { id: 'issues.undo', keys: ['z'], title: 'Undo the last change of a status or an assignee', changes: true },
  { id: 'issues.create', keys: ['n'], title: 'Report an issue', hint: 'new', changes: true },
  { id: 'issues.select', keys: ['space'], title: 'Select or deselect', hint: 'select' },
  { id: 'issues.selectAll', keys: ['a', '*'], title: 'Select all loaded issues, or none' },
  { id: 'issues.range', keys: ['V'], title: 'Select a range: start, move, end' },
  { id: 'issues.view', keys: ['v'], title: 'Show only the next status', hint: 'view' },
  { id: 'issues.views', keys: ['w'], title: 'Choose, save, rename or delete a view', hint: 'views' },
  { id: 'issues.columns', keys: ['|'], title: 'Show or hide columns' },
  { id: 'issues.sort', keys: ['o'], title: 'Sort by the next column', hint: 'sort' },
  { id: 'issues.reverse', keys: ['O'], title: 'Reverse the order' },
  { id: 'issues.sortCreated', keys: ['S c'], title: 'Sort by the creation, or reverse', next: 'created' },
  { id: 'issues.sortUpdated', keys: ['S u'], title: 'Sort by the last change, or reverse', next: 'updated' },
  { id: 'issues.sortSeverity', keys: ['S v'], title: 'Sort by the severity, or reverse', next: 'severity' },
  { id: 'issues.sortStatus', keys: ['S s'], title: 'Sort by the status, or reverse', next: 'status' },
  { id: 'issues.sortCategory', keys: ['S g'], title: 'Sort by the category, or reverse', next: 'category' },
  { id: 'issues.sortTitle', keys: ['S t'], title: 'Sort by the title, or reverse', next: 'title' },
  { id: 'issues.sortAssignee', keys: ['S a'], title: 'Sort by the assignee, or reverse', next: 'assignee' },
  { id: 'issues.sortId', keys: ['S i'], title: 'Sort by the number, or reverse', next: 'id' },
  { id: 'issues.scrollDown', keys: ['J', 'shift+down'], title: 'Scroll the details down' },
  { id: 'issues.scrollUp', keys: ['K', 'shift+up'], title: 'Scroll the details up' },

  { id: 'charts.period', keys: ['p', 'right', 'l'], title: 'Next period of the ages', hint: 'period' },
  { id: 'charts.periodBack', keys: ['P', 'left', 'h'], title: 'Previous period of the ages' },

  { id: 'conversations.open', keys: ['enter', 'right', 'l'], title: 'Read the conversation', hint: 'read' },
  { id: 'conversations.unread', keys: ['u'], title: 'Show only unread conversations', hint: 'unread' },
  { id: 'conversations.view', keys: ['v'], title: 'Show only the next status', hint: 'view' },
  { id: 'conversations.select', keys: ['space'], title: 'Select or deselect', hint: 'select' },
  { id: 'conversations.selectAll', keys: ['*'], title: 'Select all loaded conversations, or none' },
  { id: 'conversations.range', keys: ['V'], title: 'Select a range: start, move, end' },
  { id: 'conversations.views', keys: ['w'], title: 'Choose, save, rename or delete a view', hint: 'views' },
  { id: 'conversations.columns', keys: ['|'], title: 'Show or hide columns' },
  { id: 'conversations.sort', keys: ['o'], title: 'Sort by the next column' },
  { id: 'conversations.reverse', keys: ['O'], title: 'Reverse the order' },
  { id: 'conversations.sortAge', keys: ['S a'], title: 'Sort by the age, or reverse', next: 'age' },
  { id: 'conversations.sortNew', keys: ['S n'], title: 'Sort by unread messages, or reverse', next: 'new' },
  {
    id: 'conversations.sortVisitor',
    keys: ['S v'],
    title: 'Sort by the visitor, or reverse',
    next: 'visitor',
  },
  {
    id: 'conversations.sortSubject',
    keys: ['S j'],
    title: 'Sort by the subject, or reverse',
    next: 'subject',
  },
  { id: 'conversations.sortStatus', keys: ['S s'], title: 'Sort by the status, or reverse', next: 'status' },
  {
    id: 'conversations.sortAssignee',
    keys: ['S g'],
    title: 'Sort by the assignee, or reverse',
    next: 'assignee',
  },
  { id: 'conversations.create', keys: ['n'], title: 'Start a conversation', hint: 'new', changes: true },
  { id: 'talk.reply', keys: ['r'], title: 'Write a reply', hint: 'reply', changes: true },
  { id: 'talk.external', keys: ['E'], title: 'Write a reply in your editor', changes: true },
  { id: 'talk.approve', keys: ['a'], title: 'Approve the draft and send it', hint: 'approve', changes: true },
  { id: 'talk.revise', keys: ['e'], title: 'Edit the draft, then send it', hint: 'edit', changes: true },
  { id: 'talk.reject', keys: ['x'], title: 'Reject the draft', hint: 'reject', changes: true },
  { id: 'talk.resend', keys: ['f'], title: 'Send the e-mail again that failed', changes: true },
  {
    id: 'talk.status',
    keys: ['s'],
    title: 'Change the status of the conversation',
    hint: 'status',
    changes: true,
  },
  { id: 'talk.assign', keys: ['A'], title: 'Assign to somebody', hint: 'assign', changes: true },
  { id: 'talk.comment', keys: ['+'], title: 'Write a comment, for the team only', changes: true },
  { id: 'talk.comments', keys: ['C'], title: 'Show the comments, to edit or delete one' },
  { id: 'talk.undo', keys: ['z'], title: 'Undo the last change of a status or an assignee', changes: true },
  { id: 'talk.read', keys: ['m'], title: 'Mark the messages as read', hint: 'mark read', changes: true },
  { id: 'talk.unread', keys: ['M'], title: 'Mark the newest message as unread', changes: true },
  { id: 'talk.issue', keys: ['i'], title: 'Report an issue from the conversation', changes: true },
  { id: 'talk.delete', keys: ['D'], title: 'Delete the conversation', changes: true },
  { id: 'thread.close', keys: ['left', 'h'], title: 'Back to the list' },

  {
    id: 'settings.edit',
    keys: ['enter', 'e'],
    title: 'Edit the value',
    hint: 'edit',
    changes: true,
    changesRow: true,
  },
  { id: 'settings.create', keys: ['n'], title: 'Add a setting', hint: 'new', changes: true },
  {
    id: 'settings.external',
    keys: ['E'],
    title: 'Edit the value in your editor',
    changes: true,
    changesRow: true,
  },
  {
    id: 'settings.delete',
    keys: ['D', 'delete'],
    title: 'Delete the setting',
    hint: 'delete',
    changes: true,
    changesRow: true,
  },

  { id: 'admins.create', keys: ['n'], title: 'Create an admin', hint: 'new', changes: true },
  { id: 'admins.role', keys: ['r'], title: 'Change the role', hint: 'role', changes: true },
  {
    id: 'admins.activity',
    keys: ['a'],
    title: 'Activate or deactivate',
    hint: '(de)activate',
    changes: true,
  },
  { id: 'admins.password', keys: ['p'], title: 'Set a new password', hint: 'password', changes: true },
  { id: 'admins.delete', keys: ['D', 'delete'], title: 'Delete the admin', hint: 'delete', changes: true },
  { id: 'admins.sortCreated', keys: ['S c'], title: 'Sort by the creation, or reverse', next: 'created' },
  { id: 'admins.sortEmail', keys: ['S e'], title: 'Sort by the e-mail, or reverse', next: 'e-mail' },
  { id: 'admins.sortUsername', keys: ['S u'], title: 'Sort by the username, or reverse', next: 'username' },
  { id: 'admins.nextPage', keys: ['l', 'right'], title: 'Next page', hint: 'next page' },
  { id: 'admins.previousPage', keys: ['h', 'left'], title: 'Previous page' },

  { id: 'usage.next', keys: ['l', 'right'], title: 'Next part', hint: 'next part' },
  { id: 'usage.previous', keys: ['h', 'left'], title: 'Previous part' },
  {
    id: 'errors.issue',
    keys: ['i'],
    title: 'Report an issue from the scraping error',
    hint: 'report',
    changes: true,
  },

  { id: 'audit.open', keys: ['enter'], title: 'Show or hide the details', hint: 'details' },
  { id: 'audit.views', keys: ['w'], title: 'Choose, save, rename or delete a view', hint: 'views' },
  { id: 'audit.follow', keys: ['f'], title: 'Follow the newest records, or stop', hint: 'follow' },

  { id: 'help.close', keys: ['?'], title: 'Close the help', hint: 'close' },
  { id: 'help.down', keys: ['down', 'ctrl+n'], title: 'Down one line' },
  { id: 'help.up', keys: ['up', 'ctrl+p'], title: 'Up one line' },
  { id: 'help.pageDown', keys: ['pagedown'], title: 'Down one page' },
  { id: 'help.pageUp', keys: ['pageup'], title: 'Up one page' },
  { id: 'help.first', keys: ['ctrl+home'], title: 'To the first line' },
  { id: 'help.last', keys: ['ctrl+end'], title: 'To the last line' },

  { id: 'log.undo', keys: ['z'], title: 'Undo the change', hint: 'undo', changes: true },
  { id: 'log.close', keys: ['q', 'L'], title: 'Close the log', hint: 'close' },

  { id: 'confirm.yes', keys: ['y'], title: 'Yes', hint: 'yes' },
  { id: 'confirm.no', keys: ['n', 'q', 'enter'], title: 'No', hint: 'no' },

  { id: 'choice.take', keys: ['enter', 'space'], title: 'Choose the option', hint: 'choose' },
  { id: 'choice.first', keys: ['1'], title: 'To the first option' },
  { id: 'choice.second', keys: ['2'], title: 'To the second option' },
  { id: 'choice.third', keys: ['3'], title: 'To the third option' },
  { id: 'choice.fourth', keys: ['4'], title: 'To the fourth option' },

  { id: 'comments.create', keys: ['n', '+'], title: 'Write a comment', hint: 'new', changes: true },
  { id: 'comments.edit', keys: ['enter', 'e'], title: 'Edit your comment', hint: 'edit', changes: true },
  {
    id: 'comments.delete',
    keys: ['D', 'delete'],
    title: 'Delete the comment',
    hint: 'delete',
    changes: true,
  },

  { id: 'views.take', keys: ['enter'], title: 'Show the view', hint: 'show' },
  { id: 'views.save', keys: ['s'], title: 'Save what the list shows as a view', hint: 'save' },
  { id: 'views.columns', keys: ['c'], title: 'Show or hide columns', hint: 'columns' },
  { id: 'views.rename', keys: ['r'], title: 'Rename the view', hint: 'rename' },
  { id: 'views.delete', keys: ['D', 'delete'], title: 'Delete the view', hint: 'delete' },
  { id: 'views.first', keys: ['*'], title: 'Open this view first', hint: 'opens first' },

  { id: 'columns.toggle', keys: ['space'], title: 'Show or hide the column', hint: 'show or hide' },
  { id: 'columns.done', keys: ['enter', 'q'], title: 'Back to the list', hint: 'done' },

  { id: 'picker.take', keys: ['enter'], title: 'Choose the line', hint: 'choose' },
  { id: 'picker.down', keys: ['down', 'ctrl+n', 'tab'], title: 'Down one line' },
  { id: 'picker.up', keys: ['up', 'ctrl+p', 'shift+tab'], title: 'Up one line' },

  { id: 'palette.run', keys: ['enter'], title: 'Run the command', hint: 'run' },
  { id: 'palette.down', keys: ['down', 'ctrl+n', 'tab'], title: 'Down one line' },
  { id: 'palette.up', keys: ['up', 'ctrl+p', 'shift+tab'], title: 'Up one line' },

  {
    id: 'filter.done',
    keys: ['enter', 'down'],
    title: 'Apply the filter and go back to the list',
    hint: 'done',
  },

  { id: 'form.next', keys: ['tab', 'down'], title: 'Next field', hint: 'next field' },
  { id: 'form.previous', keys: ['shift+tab', 'up'], title: 'Previous field' },
  { id: 'form.enter', keys: ['enter'], title: 'Next field; in the last one, save' },
  { id: 'form.submit', keys: ['ctrl+s'], title: 'Save', hint: 'save' },

  { id: 'editor.submit', keys: ['ctrl+s', 'alt+enter'], title: 'Send', hint: 'send' },
  { id: 'editor.newline', keys: ['enter'], title: 'New line' },
  { id: 'editor.next', keys: ['tab'], title: 'Next field', hint: 'next field' },
  { id: 'editor.previous', keys: ['shift+tab'], title: 'Previous field' },
  { id: 'editor.up', keys: ['up', 'ctrl+p'], title: 'Up one line' },
  { id: 'editor.down', keys: ['down', 'ctrl+n'], title: 'Down one line' },

  { id: 'reply.saved', keys: ['ctrl+t'], title: 'Insert a saved reply', hint: 'saved reply' },

  { id: 'compose.external', keys: ['ctrl+x ctrl+e'], title: 'Edit the text in your editor', hint: 'editor' },

  { id: 'text.left', keys: ['left', 'ctrl+b'], title: 'Back one character' },
  { id: 'text.right', keys: ['right', 'ctrl+f'], title: 'Forward one character' },
  { id: 'text.wordLeft', keys: ['alt+b', 'ctrl+left', 'alt+left'], title: 'Back one word' },
  { id: 'text.wordRight', keys: ['alt+f', 'ctrl+right', 'alt+right'], title: 'Forward one word' },
  { id: 'text.lineStart', keys: ['home', 'ctrl+a'], title: 'To the start of the line' },
  { id: 'text.lineEnd', keys: ['end', 'ctrl+e'], title: 'To the end of the line' },
  { id: 'text.deleteBack', keys: ['backspace'], title: 'Delete the previous character' },
  { id: 'text.deleteForward', keys: ['delete', 'ctrl+d'], title: 'Delete the next character' },
  { id: 'text.deleteWord', keys: ['ctrl+w', 'alt+backspace'], title: 'Delete the previous word' },
  { id: 'text.deleteToStart', keys: ['ctrl+u'], title: 'Delete to the start of the line' },
  { id: 'text.deleteToEnd', keys: ['ctrl+k'], title: 'Delete to the end of the line' },
] as const satisfies readonly Action[];

export type ActionId = (typeof actions)[number]['id'];
