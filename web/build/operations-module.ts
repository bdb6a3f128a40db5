import type { Plugin } from 'vite';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { routeOf } from '../../src/contract/route.ts';
import { roles } from '../../src/contract/vocabulary.ts';

const moduleName = 'virtual:operations';

/**
 * Writes how to send each operation, and which roles may, into a module of plain data. The registry itself would bring all schemas and zod into the browser, so importing zod fails the build.
 */
export function operationsModule(): Plugin {
  return {
    name: 'operations-module',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'zod') this.error(`${importer} imports zod. Import only types from files with schemas.`);
      return source === moduleName ? `\0${source}` : undefined;
    },
    load: (source) => (source === `\0${moduleName}` ? operationsText() : undefined),
  };
}

function operationsText(): string {
  const entries = operations.map((operation) => {
    const { allow, enrolment }: Operation = operation;
    const rules = { roles: allow.to === 'roles' ? allow.roles : roles, enrolment };
    return [operation.id, { ...routeOf(operation), ...rules }];
  });
  return `export const operations = ${JSON.stringify(Object.fromEntries(entries))};`;
}
