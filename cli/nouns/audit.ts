import { InvalidArgumentError } from 'commander';
import { auditRecords as noun } from '../../src/contract/fields/audit.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { doors } from '../../src/contract/vocabulary.ts';
import type { Access } from '../access/access.ts';
import { FailedError, StoppedError } from '../errors.ts';
import { emit } from '../output/emit.ts';
import { createProgress } from '../output/progress.ts';
import { actorLabel, describeChange, originLabel } from '../terminal/change.ts';
import { print, stopSignal } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';
import { pages } from '../verb/list.ts';
import { parsed, text, words } from '../verb/parameters.ts';
import { calling, verbs } from '../verb/verb.ts';

const via = { ...words('only made via this interface', doors), term: 'interface' };

/** Takes the end of a chain, as `audit verify` prints it. */
const expected = parsed(
  'also prove that the trail continues this end of an earlier run',
  'id:hash',
  (link) => {
    if (/^\d{1,15}:[0-9a-f]{64}$/i.test(link)) return link;
    throw new InvalidArgumentError(
      'Must be the end of a chain as `backoffice audit verify` prints it: 4711:0f34….',
    );
  },
);

/** Who changed what, when and from where. */
export const audit = verbs('backoffice audit list --since 7d', {
  list: pages('audit.list', 'audit', {
    about: 'list audit records, newest first',
    of: noun,
    params: {
      actor: text('only by this admin (e-mail), token (token:<name>) or local operator', 'name'),
      via,
      door: { ...via, isHidden: true, excludes: ['via'] },
      operation: text('only by this operation, such as admins.delete', 'operation'),
      event: text('only with this event type, such as admin.deleted', 'event'),
      subject: text('only about the subject with this ID', 'id'),
    },
    input: async ({ via, door = via, subject: subject_id, ...filters }) => ({
      ...filters,
      door,
      subject_id,
    }),
    search: 'only if the actor, the subject or the changed fields contain these words',
    columns: [
      ['id', 3],
      'created_at',
      { heading: 'who', value: actorLabel, cut: true },
      { heading: 'from', value: originLabel, dropAs: 2 },
      { heading: 'event', value: ({ event }) => event },
      { heading: 'on', value: ({ subject_id }) => subject_id ?? '', cut: true, dropAs: 1 },
      {
        heading: 'change',
        value: ({ before, after }) => describeChange(before, after),
        cut: true,
        dropAs: 4,
      },
    ],
    web: {
      page: 'audit',
      takes: ['actor', ['via', 'door'], 'door', 'operation', 'event', 'subject', ['search', 'q']],
    },
    examples: [
      'backoffice audit list --actor grace@example.com --since 7d',
      'backoffice audit list --event admin.deleted --json created_at,actor_name,before',
    ],
  }),

  verify: calling('audit.verify', {
    about:
      'prove that no audit record was changed, deleted or added since it was written; exit code 1 if one was',
    params: { expect: expected },
    notes:
      'Each record is chained to the one before it. The last line of the output is the end of the chain. Keep it where those who\n' +
      'can write to the database cannot: with --expect, it also shows that the whole chain was replaced.',
    examples: [
      'backoffice audit verify --expect 4711:0f343b0931126a20f133d67c2b018a3b8f2a1c6b5d1b7c1f8e7f2d7b0f8a4c11',
    ],
    async run({ given: { expect }, format, access }) {
      const stop = stopSignal();
      const found = await verify(access, expect, stop);
      if (stop.aborted) throw new StoppedError('Stopped before the end of the audit trail.', stop);
      await emit(found, format, undefined, () => printVerification(found));
      if (found.problem !== null) throw new FailedError(found.problem.message);
    },
  }),
});

type Verification = Omit<OutputOf<'audit.verify'>, 'complete'>;

/** Verifies the whole trail, part by part. */
async function verify(access: Access, expect: string | undefined, stop: AbortSignal): Promise<Verification> {
  const progress = createProgress();
  try {
    let { complete, ...found } = await access.call('audit.verify', { expect });
    while (!complete && !stop.aborted) {
      progress.show({ what: 'audit records', done: found.verified });
      const part = await access.call('audit.verify', { from: linkText(found.last), expect });
      const { valid, last, problem } = part;
      found = { ...found, valid, last, problem, verified: found.verified + part.verified };
      complete = part.complete;
    }
    return found;
  } finally {
    progress.end();
  }
}

const linkText = ({ id, chain }: Verification['last']) => `${id}:${chain}`;

function printVerification({ valid, verified, after, unproven, last }: Verification): void {
  const intact = counted(verified, 'audit record is', 'audit records are');
  print(valid ? `${intact} intact.` : `${intact} intact, up to record ${last.id}.`);
  if (unproven > 0) {
    const older = counted(unproven, 'record', 'records');
    print(`${older} up to record ${after} cannot be verified: the chain starts after them.`);
  }
  if (valid) print(`End of the chain: ${linkText(last)}`);
}
