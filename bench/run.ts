/**
 * `npm run bench`: compares the service with the baseline and writes the figures to results.md.
 * `npm run bench -- writes pages`: measures these groups only, and prints their figures.
 */
import { createFilledDatabase } from './database/fill.ts';
import { describeMachine } from './database/machine.ts';
import { withPostgres } from './database/postgres.ts';
import { compareBulkChange } from './figures/bulk-change.ts';
import { compareChangingPage } from './figures/changing-issues.ts';
import { measureEventsAtFullLoad, measureSteadyEvents } from './figures/events.ts';
import { type Databases, type Figure, shortList, sizes } from './figures/figure.ts';
import {
  compareAggregateGrowth,
  compareBusyAggregate,
  compareRareRows,
  rareNames,
} from './figures/growth.ts';
import { compareNotModified } from './figures/not-modified.ts';
import {
  compareAdminsPage,
  compareAggregate,
  compareConversations,
  compareIssuesPage,
  compareSettings,
  compareShortList,
} from './figures/reads.ts';
import { measureStart } from './figures/start.ts';
import { measureLongLists, measureManyReaders } from './figures/whole-lists.ts';
import { compareKeyedIssue, compareNewIssue, compareTrail } from './figures/writes.ts';
import { defaultConnections } from './load.ts';
import { judge, type Row, type Section, writeReport } from './report.ts';

const medium = 100_000;
const large = 1_000_000;
const flushDelayMs = 3;

type Measure = (databases: Databases) => Promise<Figure>;
type Group = readonly Measure[];

const eachSize = (measure: (databases: Databases, issues: number) => Promise<Figure>): Group =>
  sizes.map((size) => (databases) => measure(databases, size));

/** The groups of figures on a fast disk. Those that add issues come last. */
const fastDisk: Readonly<Record<string, Group>> = {
  start: [(databases) => measureStart(databases, medium)],
  lists: [
    (databases) => compareShortList(databases, shortList),
    (databases) => compareConversations(databases, medium),
    (databases) => measureLongLists(databases, medium),
    (databases) => measureManyReaders(databases, medium),
  ],
  aggregate: [...eachSize(compareAggregate), compareAggregateGrowth],
  rare: rareNames.map((name) => (databases) => compareRareRows(databases, name)),
  pages: [
    ...eachSize(compareAdminsPage),
    ...eachSize(compareIssuesPage),
    (databases) => compareNotModified(databases, large),
  ],
  settings: [(databases) => compareSettings(databases, medium)],
  writes: [
    ...eachSize((databases, issues) => compareNewIssue(databases, issues)),
    (databases) => compareTrail(databases, medium),
    (databases) => measureSteadyEvents(databases, medium),
    (databases) => measureEventsAtFullLoad(databases, medium),
    (databases) => compareKeyedIssue(databases, medium),
    (databases) => compareBulkChange(databases, medium),
  ],
  changing: [(databases) => compareChangingPage(databases, medium)],
  busy: [(databases) => compareBusyAggregate(databases, medium)],
};

/** The groups of figures on a disk whose flush takes longer, as that of a network does. */
const slowDisk: Readonly<Record<string, Group>> = {
  'slow-disk': [
    (databases) => compareNewIssue(databases, medium, `, each flush +${flushDelayMs} ms`),
    (databases) => compareTrail(databases, medium, `, each flush +${flushDelayMs} ms`),
  ],
};

/** Measures groups on a Postgres server of their own. Each figure may have a database that it shares with the others. */
async function measureGroups(serverUrl: string, groups: readonly Group[]): Promise<Figure[]> {
  const filled = new Map<number, Promise<string>>();
  const databases: Databases = (issues) => {
    const known = filled.get(issues);
    if (known !== undefined) return known;
    console.log(`Filling a database with ${issues.toLocaleString('en')} issues`);
    const filling = createFilledDatabase(serverUrl, issues);
    filled.set(issues, filling);
    return filling;
  };
  const measured: Figure[] = [];
  for (const measure of groups.flat()) {
    const figure = await measure(databases);
    const { name, issues, result, target, service, baseline } = figure;
    console.log(
      `${name}, ${issues} issues: ${result} (${target}); ${service}${baseline && `, baseline ${baseline}`}`,
    );
    measured.push(figure);
  }
  return measured;
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in fastDisk) && !(name in slowDisk));
if (unknown !== undefined) {
  const names = [...Object.keys(fastDisk), ...Object.keys(slowDisk)].join(', ');
  console.error(`There is no group ${unknown}. The groups are: ${names}.`);
  process.exit(2);
}
const chosen = (groups: Readonly<Record<string, Group>>) =>
  Object.entries(groups).flatMap(([name, group]) =>
    asked.length === 0 || asked.includes(name) ? [group] : [],
  );

let machine = '';
const figures: Figure[] = [];
for (const [groups, delayMs] of [
  [chosen(fastDisk), 0],
  [chosen(slowDisk), flushDelayMs],
] as const) {
  if (groups.length === 0) continue;
  const measure = async (serverUrl: string) => {
    machine = await describeMachine(serverUrl);
    return await measureGroups(serverUrl, groups);
  };
  figures.push(...(await withPostgres(measure, delayMs)));
}
const row = ({ name, service, baseline, result, target, met }: Figure): Row => ({
  cells: [name, service, baseline || '–', result, target],
  met,
});
const sections: Section[] = [...Map.groupBy(figures, ({ issues }) => issues)]
  .sort(([a], [b]) => a - b)
  .map(([issues, ofSize]) => ({
    heading: `${issues.toLocaleString('en')} issues`,
    tables: [{ columns: ['figure', 'service', 'baseline', 'ratio', 'target'], rows: ofSize.map(row) }],
  }));
if (asked.length > 0) judge(sections);
else
  await writeReport({
    file: 'results.md',
    title: 'Benchmark',
    about: `This compares the service (\`backoffice serve\`, log level \`info\`, signed in) with a baseline: the least code that gives
the same answers (\`servers/baseline.ts\`: node:http and pg, without sessions, checks, a log, events or an audit trail).
Each server has its own process. They are loaded alternately by ${defaultConnections} connections, or by the number that
the row names, and a ratio is the median over the rounds. Where a row has no baseline, the service is compared with
itself. Only the ratios hold on other machines.`,
    run: '`npm run bench`. It takes about 20 minutes and needs a C compiler, for the slow disk.',
    machine,
    sections,
  });
