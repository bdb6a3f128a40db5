import { type Event, getEventsFollowUrl, issuesCreate, issuesList, issuesUpdate } from './generated/orval.ts';
import { dataOf, type Report, reportOf, required, title } from './report.ts';

export function run(_baseUrl: string, token: string): Promise<Report> {
  const options = { headers: { authorization: `Bearer ${token}` } };
  return reportOf({
    async create() {
      const issue = { title, severity: 'High' };
      const { status, data } = await issuesCreate(issue, { 'Idempotency-Key': 'orval' }, options);
      return required(status === 200 ? data.id : undefined);
    },
    async titles() {
      const { status, data } = await issuesList({ status: 'Open', limit: 10 }, {}, options);
      return status === 200 && 'issues' in data ? data.issues.map((issue) => issue.title) : [];
    },
    async change(id) {
      const { status, data } = await issuesUpdate({ ids: [id], set: { status: 'Resolved' } }, options);
      const { matched, changed } = required(status === 200 ? data : undefined);
      return { matched, changed };
    },
    async error() {
      const { status, data } = await issuesCreate({ title: '' }, {}, options);
      const problem = required(status === 200 ? undefined : data);
      return { status, text: 'error' in problem ? problem.error : problem.detail };
    },
    /** Reads the stream itself: the generated function would wait for its end. */
    async event() {
      const { body } = await fetch(getEventsFollowUrl({ after: 0 }), options);
      for await (const json of dataOf(required(body))) {
        const event = JSON.parse(json) as Event;
        if (event.type !== 'issue.created') continue;
        // @ts-expect-error An issue has no visitor.
        event.data.visitor_email;
        return { subject: event.subject_id, title: event.data.title, severity: event.data.severity };
      }
      throw new Error('The stream has ended.');
    },
  });
}
