import { eraseVisitor, exportVisitor } from '../visitors/visitors.ts';
import type { HandlersOf } from './handler-types.ts';

export const visitorHandlers = {
  'visitors.export': async ({ db, publisher }, { email }) => {
    await publisher.catchUp();
    return exportVisitor(db, email);
  },

  'visitors.erase': async (context, { email }) => ({
    success: true,
    ...(await eraseVisitor(context, email)),
  }),
} satisfies HandlersOf<'visitors'>;
