/**
 * The one table of keys. Handlers, the hints of the footer, the `?` help and the `:` palette are made of it, and
 * keys.json may give an action other keys (`remap.ts`).
 */
export interface Action {
  /** `<scope>.<what>`; keys.json names it so. */
  readonly id: string;
  readonly keys: readonly string[];
  /** What it does, in the imperative: for the help and the palette. */
  readonly title: string;
  /** A word or two for the footer. */
  readonly hint?: string;
  /** It changes data: refused with --read-only. */
  readonly changes?: true;
}

export const actions = [
  { id: 'everywhere.back', keys: ['esc'], title: 'Go back one step' },
  { id: 'everywhere.leave', keys: ['ctrl+c'], title: 'Quit' },
  { id: 'everywhere.redraw', keys: ['ctrl+l'], title: 'Draw the screen anew' },

  { id: 'global.issues', keys: ['1'], title: 'Go to the issues' },
  { id: 'global.charts', keys: ['2'], title: 'Go to the charts' },
  { id: 'global.conversations', keys: ['3'], title: 'Go to the conversations' },
  { id: 'global.settings', keys: ['4'], title: 'Go to the settings' },
  { id: 'global.admins', keys: ['5'], title: 'Go to the admins' },
  { id: 'global.usage', keys: ['6'], title: 'Go to the usage' },
  { id: 'global.audit', keys: ['7'], title: 'Go to the audit trail' },
  { id: 'global.next', keys: ['tab'], title: 'Go to the next screen' },
  { id: 'global.previous', keys: ['shift+tab'], title: 'Go to the screen before' },
  { id: 'global.palette', keys: [':'], title: 'Run any action by its name', hint: 'commands' },
  { id: 'global.help', keys: ['?'], title: 'Show the keys', hint: 'help' },
  { id: 'global.refresh', keys: ['ctrl+r'], title: 'Load the screen anew' },
  { id: 'global.quit', keys: ['q'], title: 'Quit', hint: 'quit' },

  { id: 'list.down', keys: ['j', 'down'], title: 'One down' },
  { id: 'list.up', keys: ['k', 'up'], title: 'One up' },
  { id: 'list.pageDown', keys: ['pagedown', 'ctrl+f'], title: 'A page down' },
  { id: 'list.pageUp', keys: ['pageup', 'ctrl+b'], title: 'A page up' },
  { id: 'list.halfDown', keys: ['ctrl+d'], title: 'Half a page down' },
  { id: 'list.halfUp', keys: ['ctrl+u'], title: 'Half a page up' },
  { id: 'list.first', keys: ['g', 'home'], title: 'To the first' },
  { id: 'list.last', keys: ['G', 'end'], title: 'To the last' },

  { id: 'search.open', keys: ['/'], title: 'Filter as you type', hint: 'filter' },

  { id: 'issues.open', keys: ['enter'], title: 'Show or hide the details', hint: 'details' },
  { id: 'issues.status', keys: ['s'], title: 'Change the status', hint: 'status', changes: true },
  { id: 'issues.create', keys: ['n'], title: 'Report an issue', hint: 'new', changes: true },
  { id: 'issues.select', keys: ['space'], title: 'Select or leave out', hint: 'select' },
  { id: 'issues.selectAll', keys: ['a'], title: 'Select all that are loaded, or none' },
  { id: 'issues.view', keys: ['v'], title: 'Only those of the next status', hint: 'view' },
  { id: 'issues.sort', keys: ['o'], title: 'Sort by the next column', hint: 'sort' },
  { id: 'issues.reverse', keys: ['O'], title: 'Turn the order round' },
  { id: 'issues.scrollDown', keys: ['J', 'shift+down'], title: 'Scroll the details down' },
  { id: 'issues.scrollUp', keys: ['K', 'shift+up'], title: 'Scroll the details up' },

  { id: 'charts.period', keys: ['p', 'right', 'l'], title: 'The next period', hint: 'period' },
  { id: 'charts.periodBack', keys: ['P', 'left', 'h'], title: 'The period before' },

  { id: 'conversations.open', keys: ['enter', 'right', 'l'], title: 'Read the conversation', hint: 'read' },
  { id: 'conversations.unread', keys: ['u'], title: 'Only those with unread messages', hint: 'unread' },
  { id: 'conversations.view', keys: ['v'], title: 'Only those of the next status', hint: 'view' },
  { id: 'conversations.create', keys: ['n'], title: 'Open a conversation', hint: 'new', changes: true },
  { id: 'talk.reply', keys: ['r'], title: 'Write a reply', hint: 'reply', changes: true },
  { id: 'talk.approve', keys: ['a'], title: 'Approve the draft and send it', hint: 'approve', changes: true },
  { id: 'talk.revise', keys: ['e'], title: 'Edit the draft, then send it', hint: 'edit', changes: true },
  { id: 'talk.reject', keys: ['x'], title: 'Reject the draft', hint: 'reject', changes: true },
  {
    id: 'talk.status',
    keys: ['s'],
    title: 'Change the status of the conversation',
    hint: 'status',
    changes: true,
  },
  { id: 'talk.read', keys: ['m'], title: 'Mark the messages as read', hint: 'mark read', changes: true },
  { id: 'talk.issue', keys: ['i'], title: 'Report an issue from the conversation', changes: true },
  { id: 'talk.delete', keys: ['D'], title: 'Delete the conversation', changes: true },
  { id: 'thread.close', keys: ['left', 'h'], title: 'Back to the list' },

  { id: 'settings.edit', keys: ['enter', 'e'], title: 'Edit the value', hint: 'edit', changes: true },
  { id: 'settings.create', keys: ['n'], title: 'Add a setting', hint: 'new', changes: true },
  {
    id: 'settings.delete',
    keys: ['D', 'delete'],
    title: 'Remove the setting',
    hint: 'remove',
    changes: true,
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
  { id: 'admins.nextPage', keys: ['l', 'right'], title: 'The next page', hint: 'next page' },
  { id: 'admins.previousPage', keys: ['h', 'left'], title: 'The page before' },

  { id: 'usage.next', keys: ['l', 'right'], title: 'The next part', hint: 'next part' },
  { id: 'usage.previous', keys: ['h', 'left'], title: 'The part before' },
  {
    id: 'errors.issue',
    keys: ['i'],
    title: 'Report an issue from the scraping error',
    hint: 'report',
    changes: true,
  },

  { id: 'audit.open', keys: ['enter'], title: 'Show or hide the details', hint: 'details' },
  { id: 'audit.follow', keys: ['f'], title: 'Stay at the newest, or let go', hint: 'tail' },

  { id: 'help.close', keys: ['?', 'q'], title: 'Close the help', hint: 'close' },

  { id: 'confirm.yes', keys: ['y'], title: 'Yes', hint: 'yes' },
  { id: 'confirm.no', keys: ['n', 'q', 'enter'], title: 'No', hint: 'no' },

  { id: 'choice.take', keys: ['enter', 'space'], title: 'Take it', hint: 'take it' },
  { id: 'choice.first', keys: ['1'], title: 'To the first option' },
  { id: 'choice.second', keys: ['2'], title: 'To the second option' },
  { id: 'choice.third', keys: ['3'], title: 'To the third option' },
  { id: 'choice.fourth', keys: ['4'], title: 'To the fourth option' },

  { id: 'palette.run', keys: ['enter'], title: 'Run it', hint: 'run' },
  { id: 'palette.down', keys: ['down', 'ctrl+n', 'tab'], title: 'One down' },
  { id: 'palette.up', keys: ['up', 'ctrl+p', 'shift+tab'], title: 'One up' },

  { id: 'filter.done', keys: ['enter', 'down'], title: 'Back to the list with this filter', hint: 'done' },

  { id: 'form.next', keys: ['tab', 'down'], title: 'The next field', hint: 'next field' },
  { id: 'form.previous', keys: ['shift+tab', 'up'], title: 'The field before' },
  { id: 'form.enter', keys: ['enter'], title: 'The next field; from the last, save' },
  { id: 'form.submit', keys: ['ctrl+s'], title: 'Save', hint: 'save' },

  { id: 'editor.submit', keys: ['ctrl+s', 'alt+enter'], title: 'Send', hint: 'send' },
  { id: 'editor.newline', keys: ['enter'], title: 'A new line' },
  { id: 'editor.next', keys: ['tab'], title: 'The next field' },
  { id: 'editor.previous', keys: ['shift+tab'], title: 'The field before' },
  { id: 'editor.up', keys: ['up', 'ctrl+p'], title: 'One line up' },
  { id: 'editor.down', keys: ['down', 'ctrl+n'], title: 'One line down' },

  { id: 'text.left', keys: ['left', 'ctrl+b'], title: 'One character back' },
  { id: 'text.right', keys: ['right', 'ctrl+f'], title: 'One character on' },
  { id: 'text.wordLeft', keys: ['alt+b', 'ctrl+left', 'alt+left'], title: 'One word back' },
  { id: 'text.wordRight', keys: ['alt+f', 'ctrl+right', 'alt+right'], title: 'One word on' },
  { id: 'text.lineStart', keys: ['home', 'ctrl+a'], title: 'To the start of the line' },
  { id: 'text.lineEnd', keys: ['end', 'ctrl+e'], title: 'To the end of the line' },
  { id: 'text.deleteBack', keys: ['backspace'], title: 'Delete the character before' },
  { id: 'text.deleteForward', keys: ['delete', 'ctrl+d'], title: 'Delete the character behind' },
  { id: 'text.deleteWord', keys: ['ctrl+w', 'alt+backspace'], title: 'Delete the word before' },
  { id: 'text.deleteToStart', keys: ['ctrl+u'], title: 'Delete to the start of the line' },
  { id: 'text.deleteToEnd', keys: ['ctrl+k'], title: 'Delete to the end of the line' },
] as const satisfies readonly Action[];

export type ActionId = (typeof actions)[number]['id'];
type ScopeOf<Id extends string> = Id extends `${infer Scope}.${string}` ? Scope : never;
export type Scope = ScopeOf<ActionId>;

export const scopeTitles: Readonly<Record<Scope, string>> = {
  everywhere: 'Everywhere',
  global: 'Screens',
  list: 'Lists',
  search: 'Search',
  issues: 'Issues',
  charts: 'Charts',
  conversations: 'Conversations',
  talk: 'A conversation',
  thread: 'An open conversation',
  settings: 'Settings',
  admins: 'Admins',
  usage: 'Usage',
  errors: 'Scraping errors',
  audit: 'Audit',
  help: 'This help',
  confirm: 'A question',
  choice: 'A choice',
  palette: 'Commands',
  filter: 'A filter',
  form: 'A form',
  editor: 'An editor',
  text: 'Writing',
};

/** Where keys go at one time: the scopes that are open together, the nearest first. No key means two things in one. */
export const chains = {
  issues: ['issues', 'list', 'search', 'global', 'everywhere'],
  charts: ['charts', 'list', 'global', 'everywhere'],
  conversations: ['conversations', 'talk', 'list', 'search', 'global', 'everywhere'],
  thread: ['thread', 'talk', 'list', 'global', 'everywhere'],
  settings: ['settings', 'list', 'search', 'global', 'everywhere'],
  admins: ['admins', 'list', 'global', 'everywhere'],
  usage: ['usage', 'list', 'global', 'everywhere'],
  errors: ['errors', 'usage', 'list', 'global', 'everywhere'],
  audit: ['audit', 'list', 'search', 'global', 'everywhere'],
  help: ['help', 'list', 'everywhere'],
  confirm: ['confirm', 'everywhere'],
  choice: ['choice', 'list', 'everywhere'],
  palette: ['palette', 'text', 'everywhere'],
  filter: ['filter', 'text', 'everywhere'],
  form: ['form', 'text', 'everywhere'],
  /** In a field of several lines, up, down and Enter move within it. */
  editor: ['editor', 'text', 'everywhere'],
} as const satisfies Record<string, readonly Scope[]>;

export type Chain = keyof typeof chains;

/** The scope of an action. */
export function scopeOf(id: ActionId): Scope {
  return id.slice(0, id.indexOf('.')) as Scope;
}
