/** `npm run bench`: compares the service with the baseline and writes the figures to results.md. */
import { writeFile } from 'node:fs/promises';
import { compareBulkChange } from './bulk-change.ts';
import {
  compareAdminsPage,
  compareAggregate,
  compareAggregateGrowth,
  compareKeyedIssue,
  compareNewIssue,
  compareSearchGrowth,
  compareShortList,
  type Figure,
  measureLongList,
  shortList,
  sizes,
} from './figures.ts';
import { createFilledDatabase } from './fill.ts';
import { describeMachine } from './machine.ts';
import { compareNotModified } from './not-modified.ts';
import { withPostgres } from './postgres.ts';
import { writeReport } from './report.ts';

const figures = await withPostgres(async (serverUrl) => {
  const databases = new Map<number, string>();
  for (const size of [shortList, ...sizes]) {
    console.log(`Filling a database with ${size.toLocaleString('en')} issues`);
    databases.set(size, await createFilledDatabase(serverUrl, size));
  }
  const plan = [
    () => compareShortList(databases),
    ...sizes.map((size) => () => compareAggregate(databases, size)),
    () => compareAggregateGrowth(databases),
    () => compareSearchGrowth(databases),
    ...sizes.map((size) => () => compareAdminsPage(databases, size)),
    () => measureLongList(databases, 100_000),
    () => compareNotModified(databases, 1_000_000),
    ...sizes.map((size) => () => compareNewIssue(databases, size)),
    () => compareKeyedIssue(databases, 100_000),
    () => compareBulkChange(databases, 100_000),
  ];
  const measured: Figure[] = [];
  for (const measure of plan) {
    const figure = await measure();
    console.log(`${figure.name}, ${figure.issues} issues: ${figure.result} (${figure.target})`);
    measured.push(figure);
  }
  const report = writeReport(measured, await describeMachine(serverUrl));
  await writeFile(new URL('./results.md', import.meta.url), report);
  return measured;
});
const missed = figures.filter(({ met }) => !met).length;
console.log(`Wrote bench/results.md: ${figures.length - missed} of ${figures.length} targets met.`);
if (missed > 0) process.exitCode = 1;
