import type { Plugin } from 'vite';
import type { Operation } from '../../src/contract/operation.ts';
import { operations, recordedNames } from '../../src/contract/registry.ts';
import { routeOf } from '../../src/contract/route.ts';
import { roles } from '../../src/contract/vocabulary.ts';

/** The modules, and what writes them. Few pages need the second one. */
const modules: ReadonlyMap<string, () => string> = new Map([
  ['virtual:operations', operationsText],
  ['virtual:recorded-names', () => `export const recordedNames = ${JSON.stringify(recordedNames)};`],
]);

/**
 * Writes how to send each operation, which roles may, and the names that changes are recorded under, into modules of plain
 * data. The registry itself would bring all schemas and zod into the browser, so importing zod fails the build.
 */
export function operationsModule(): Plugin {
  return {
    name: 'operations-module',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'zod') this.error(`${importer} imports zod. Import only types from files with schemas.`);
      return modules.has(source) ? `\0${source}` : undefined;
    },
    load: (source) => (source.startsWith('\0') ? modules.get(source.slice(1))?.() : undefined),
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
