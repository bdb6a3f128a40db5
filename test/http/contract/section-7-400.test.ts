import { expect, test } from 'vitest';
import { type Api, type ApiResponse, errorResponse } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const visitor = { visitor_email: 'v@example.com', visitor_name: 'V' };
const account = { email: 'new@example.com', password: 'long enough' };
const target = { id: 'admin_0_nobody' };

/** A row of the table of section 7: its condition, its text, and requests that meet the condition. */
type Row = [condition: string, text: string, ...requests: ((api: Api) => Promise<ApiResponse>)[]];

const rows: Row[] = [
  [
    'POST issues: title missing or blank',
    'Title is required',
    (api) => api.post('/issues', {}),
    (api) => api.post('/issues', { title: '' }),
    (api) => api.post('/issues', { title: ' \t\n ' }),
    (api) => api.post('/issues', { title: null, severity: 'High' }),
  ],
  [
    'PUT issues: id or status missing',
    'id and status are required',
    (api) => api.put('/issues', {}),
    (api) => api.put('/issues', { id: 1 }),
    (api) => api.put('/issues', { status: 'Open' }),
    (api) => api.put('/issues', { id: null, status: 'Open' }),
    (api) => api.put('/issues', { id: 1, status: '' }),
    (api) => api.put('/issues', { id: 1, status: null }),
    (api) => api.put('/issues', { status: 'Nonsense' }),
  ],
  [
    'PUT issues: status not one of the four values',
    'Invalid status. Must be one of: Open, In Progress, Resolved, Closed',
    (api) => api.put('/issues', { id: 1, status: 'Done' }),
    (api) => api.put('/issues', { id: 1, status: 'open' }),
    (api) => api.put('/issues', { id: 1, status: ' Open' }),
    (api) => api.put('/issues', { id: 1, status: 'In progress' }),
    (api) => api.put('/issues', { id: 1, status: 3 }),
  ],
  [
    'POST conversations: visitor_email or visitor_name missing',
    'Visitor email and name are required.',
    (api) => api.post('/conversations', {}),
    (api) => api.post('/conversations', { visitor_email: 'v@example.com' }),
    (api) => api.post('/conversations', { visitor_name: 'V' }),
    (api) => api.post('/conversations', { ...visitor, visitor_email: '' }),
    (api) => api.post('/conversations', { ...visitor, visitor_name: null }),
  ],
  [
    'PUT settings: no updates object, and key or value missing',
    'key and value are required',
    (api) => api.put('/settings', {}),
    (api) => api.put('/settings', { key: 'k' }),
    (api) => api.put('/settings', { value: 'v' }),
    (api) => api.put('/settings', { key: '', value: 'v' }),
    (api) => api.put('/settings', { updates: null }),
  ],
  [
    'POST admins: email or password missing',
    'Email and password are required.',
    (api) => api.post('/admins', {}),
    (api) => api.post('/admins', { email: 'new@example.com' }),
    (api) => api.post('/admins', { password: 'long enough' }),
    (api) => api.post('/admins', { ...account, email: '' }),
    (api) => api.post('/admins', { ...account, password: '' }),
    (api) => api.post('/admins', { email: null, password: '12345' }),
  ],
  [
    'POST and PUT admins: password shorter than 6 characters',
    'Password must be at least 6 characters.',
    (api) => api.post('/admins', { ...account, password: '12345' }),
    (api) => api.put('/admins', { ...target, password: '12345' }),
    (api) => api.put('/admins', { ...target, username: 'U', password: 'x' }),
  ],
  [
    'PUT admins: id missing',
    'Admin ID is required.',
    (api) => api.put('/admins', {}),
    (api) => api.put('/admins', { username: 'U' }),
    (api) => api.put('/admins', { id: '', username: 'U' }),
    (api) => api.put('/admins', { id: null, password: '12345' }),
  ],
  [
    'PUT admins: no updatable field supplied',
    'No fields to update.',
    (api) => api.put('/admins', target),
    (api) => api.put('/admins', { ...target, nickname: 'U' }),
    (api) => api.put('/admins', { ...target, password: '' }),
  ],
  [
    'DELETE admins: id missing',
    'Admin ID is required.',
    (api) => api.delete('/admins'),
    (api) => api.delete('/admins?id='),
  ],
];

test.for(rows)('section 7: 400 %s -> %s', async ([, text, ...requests]) => {
  for (const request of requests) expect(await request(backoffice.api)).toEqual(errorResponse(400, text));
});
