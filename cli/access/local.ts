import { userInfo } from 'node:os';
import { operationOf } from '../../src/contract/index.ts';
import { localOperator } from '../../src/services/context.ts';
import { execute } from '../../src/services/execute.ts';
import type { OpenServices } from '../../src/services/open.ts';
import { StreamedJson } from '../../src/services/streamed-json.ts';
import { quietLog } from '../database.ts';
import type { Access } from './access.ts';

/** Who runs the commands: the user of the operating system. */
export function operatorName(): string {
  return userInfo().username;
}

/** The operations of this program, run as the local operator. */
export function localAccess(services: OpenServices): Access {
  const run: Access['call'] = async (id, input) => {
    const call = {
      authenticate: async () => localOperator(operatorName()),
      // As it would arrive at a server: without what is undefined.
      readInput: async () => JSON.parse(JSON.stringify(input ?? {})),
      session: noSession,
      address: '',
      log: quietLog,
    };
    return (await execute(operationOf(id), call, services)) as never;
  };
  return {
    async call(id, input) {
      const output: unknown = await run(id, input);
      return (output instanceof StreamedJson ? JSON.parse(await output.text()) : output) as never;
    },
    async stream(id, input, write) {
      const output: unknown = await run(id, input);
      if (!(output instanceof StreamedJson)) return await write(JSON.stringify(output));
      await output.produce(async (text) => {
        await write(text);
        return true;
      });
    },
  };
}

const noSession = {
  start: async () => {
    throw new Error('A command has no sign-in session.');
  },
  forget: () => {},
};
