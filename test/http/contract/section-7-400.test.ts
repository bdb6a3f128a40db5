import { expect, test } from 'vitest';
import { type Answer, type Ask, refusal } from '../../support/http/ask.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';

const backoffice = backofficeOfThisFile();

const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
const account = { email: 'new@example.com', password: 'long enough' };
const target = { id: 'admin_0_nobody' };

/** A row of the table of section 7: its condition, its text, and requests that meet the condition. */
type Row = [condition: string, text: string, ...requests: ((ask: Ask) => Promise<Answer>)[]];

const rows: Row[] = [
  [
    'POST issues: title missing or blank',
    'Title is required',
    (ask) => ask.post('/issues', {}),
    (ask) => ask.post('/issues', { title: '' }),
    (ask) => ask.post('/issues', { title: ' \t\n ' }),
    (ask) => ask.post('/issues', { title: null, severity: 'High' }),
  ],
  [
    'PUT issues: id or status missing',
    'id and status are required',
    (ask) => ask.put('/issues', {}),
    (ask) => ask.put('/issues', { id: 1 }),
    (ask) => ask.put('/issues', { status: 'Open' }),
    (ask) => ask.put('/issues', { id: null, status: 'Open' }),
    (ask) => ask.put('/issues', { id: 1, status: '' }),
    (ask) => ask.put('/issues', { id: 1, status: null }),
    (ask) => ask.put('/issues', { status: 'Nonsense' }),
  ],
  [
    'PUT issues: status not one of the four values',
    'Invalid status. Must be one of: Open, In Progress, Resolved, Closed',
    (ask) => ask.put('/issues', { id: 1, status: 'Done' }),
    (ask) => ask.put('/issues', { id: 1, status: 'open' }),
    (ask) => ask.put('/issues', { id: 1, status: ' Open' }),
    (ask) => ask.put('/issues', { id: 1, status: 'In progress' }),
    (ask) => ask.put('/issues', { id: 1, status: 3 }),
  ],
  [
    'POST conversations: visitor_email or visitor_name missing',
    'Visitor email and name are required.',
    (ask) => ask.post('/conversations', {}),
    (ask) => ask.post('/conversations', { visitor_email: 'v@example.com' }),
    (ask) => ask.post('/conversations', { visitor_name: 'V' }),
    (ask) => ask.post('/conversations', { ...visitor, visitor_email: '' }),
    (ask) => ask.post('/conversations', { ...visitor, visitor_name: null }),
  ],
  [
    'PUT settings: no updates object, and key or value missing',
    'key and value are required',
    (ask) => ask.put('/settings', {}),
    (ask) => ask.put('/settings', { key: 'k' }),
    (ask) => ask.put('/settings', { value: 'v' }),
    (ask) => ask.put('/settings', { key: '', value: 'v' }),
    (ask) => ask.put('/settings', { updates: null }),
  ],
  [
    'POST admins: email or password missing',
    'Email and password are required.',
    (ask) => ask.post('/admins', {}),
    (ask) => ask.post('/admins', { email: 'new@example.com' }),
    (ask) => ask.post('/admins', { password: 'long enough' }),
    (ask) => ask.post('/admins', { ...account, email: '' }),
    (ask) => ask.post('/admins', { ...account, password: '' }),
    (ask) => ask.post('/admins', { email: null, password: '12345' }),
  ],
  [
    'POST and PUT admins: password shorter than 6 characters',
    'Password must be at least 6 characters.',
    (ask) => ask.post('/admins', { ...account, password: '12345' }),
    (ask) => ask.put('/admins', { ...target, password: '12345' }),
    (ask) => ask.put('/admins', { ...target, username: 'U', password: 'x' }),
  ],
  [
    'PUT admins: id missing',
    'Admin ID is required.',
    (ask) => ask.put('/admins', {}),
    (ask) => ask.put('/admins', { username: 'U' }),
    (ask) => ask.put('/admins', { id: '', username: 'U' }),
    (ask) => ask.put('/admins', { id: null, password: '12345' }),
  ],
  [
    'PUT admins: no updatable field supplied',
    'No fields to update.',
    (ask) => ask.put('/admins', target),
    (ask) => ask.put('/admins', { ...target, nickname: 'U' }),
    (ask) => ask.put('/admins', { ...target, password: '' }),
  ],
  [
    'DELETE admins: id missing',
    'Admin ID is required.',
    (ask) => ask.delete('/admins'),
    (ask) => ask.delete('/admins?id='),
  ],
];

test.for(rows)('section 7: 400 %s -> %s', async ([, text, ...requests]) => {
  for (const request of requests) expect(await request(backoffice.ask)).toEqual(refusal(400, text));
});
