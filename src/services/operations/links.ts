import { linkErrors } from '../../contract/operations/links.ts';
import { deleteLinks, linkList, lockKey } from '../../db/tables/links.ts';
import { refuse } from '../call/refuse.ts';
import { addLink, linkDeleted, lockTarget, targetsOf } from '../changes/links.ts';
import { answerList } from '../streaming/list-answer.ts';
import type { HandlersOf } from './handler-types.ts';

export const linkHandlers = {
  'links.list': async (context, { limit, count, ...filter }) =>
    answerList(context, 'links.list', linkList(filter), { limit, count }),

  'links.create': ({ change, actor }, { issue_id, ...sources }) =>
    change(async (tx, record) => {
      if (issue_id === null || !(await lockKey(tx, 'issues', issue_id))) refuse(linkErrors.unknownIssue);
      for (const target of targetsOf(sources)) {
        await lockTarget(tx, target);
        const added = await addLink(tx, record, { issue_id, ...target }, actor);
        if (!added) refuse(linkErrors.linked);
      }
    }),

  'links.delete': ({ change }, { issue_id, ...sources }) =>
    change(async (tx, record) => {
      for (const target of targetsOf(sources)) {
        record(...(await deleteLinks(tx, target, issue_id)).map(linkDeleted));
      }
    }),
} satisfies HandlersOf<'links'>;
