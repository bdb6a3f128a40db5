import { type Event, getEventsFollowUrl, issuesCreate, issuesList, issuesUpdate } from './generated/orval.ts';
import { dataOf, type Report, title } from './report.ts';

export async function run(_baseUrl: string, token: string): Promise<Report> {
  const authorization = `Bearer ${token}`;
  const options = { headers: { authorization } };

  const create = async () => {
    const { status, data } = await issuesCreate(
      { title, severity: 'High' },
      { 'Idempotency-Key': 'orval' },
      options,
    );
    if (status !== 200) throw new Error('The issue was not created.');
    return data.id;
  };
  const created = [await create(), await create()] as const;

  const list = await issuesList({ status: 'Open', limit: 10 }, {}, options);
  if (list.status !== 200 || !('issues' in list.data)) throw new Error('There is no list.');
  const titles = list.data.issues.map((issue) => issue.title);

  const bulk = await issuesUpdate({ ids: [created[0]], set: { status: 'Resolved' } }, options);
  if (bulk.status !== 200) throw new Error('The issue was not changed.');
  const { matched, changed } = bulk.data;

  const wrong = await issuesCreate({ title: '' }, {}, options);
  if (wrong.status === 200) throw new Error('An issue without a title was accepted.');
  const text = 'error' in wrong.data ? wrong.data.error : wrong.data.detail;

  const event = await firstIssue(options);
  return { created, titles, change: { matched, changed }, event, error: { status: wrong.status, text } };
}

/** Reads the stream itself: the generated function would wait for its end. */
async function firstIssue(options: RequestInit): Promise<Report['event']> {
  const { body } = await fetch(getEventsFollowUrl({ after: 0 }), options);
  if (body === null) throw new Error('There is no stream.');
  for await (const json of dataOf(body)) {
    const event = JSON.parse(json) as Event;
    if (event.type === 'issue.created') {
      // @ts-expect-error An issue has no visitor.
      event.data.visitor_email;
      return { subject: event.subject_id, title: event.data.title, severity: event.data.severity };
    }
  }
  throw new Error('The stream has ended.');
}
