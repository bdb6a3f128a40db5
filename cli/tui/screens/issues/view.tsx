import { Box } from 'ink';
import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { apartOr, cellsOf } from '../../../output/cells.ts';
import { counted, grouped } from '../../../output/number.ts';
import { Lines } from '../../components/lines.tsx';
import { sparkline } from '../../components/sparkline.ts';
import { Table } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import { progressOf } from '../../list/position.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { picker, theme } from '../../theme.ts';
import type { IssueDetail } from './detail.ts';
import { issueDetailLines } from './detail-lines.ts';
import type { UsedWords } from './filter.ts';
import { type IssueRow, issueTableColumns } from './row.ts';
import type { Sort } from './sort.ts';

export interface IssuesState {
  readonly filter: string;
  /** The status that is shown, or null for all. */
  readonly view: string | null;
  readonly sort: Sort;
  readonly selected: ReadonlySet<number>;
  /** The number of issues by status, or null before it is loaded. */
  readonly counts: ReadonlyMap<string, number> | null;
  readonly total: number;
  /** The number of issues reported on each of the last days, or null before it is loaded. */
  readonly trend: readonly number[] | null;
  /** The words that issues have, or null before they are loaded. */
  readonly used: UsedWords | null;
  readonly detail: IssueDetail | null;
  readonly isOpen: boolean;
}

/** The statuses that can be shown; null stands for all. */
export const issueViews: readonly (string | null)[] = [null, ...issueStatuses];

/** From this width on, the details are shown beside the list instead of below it. */
const besideColumns = 120;

export interface IssuesParts {
  readonly store: Store<IssuesState>;
  readonly list: List<IssueRow>;
  /** Returns why no issue can match the filter, if none can. */
  readonly problem: () => string | undefined;
}

/** Shows the list of issues and, if they are open, the details of the issue under the cursor. */
export function issuesView(app: App, { store, list, problem }: IssuesParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const state = useStore(store);
    const { shown, phase, ...loading } = useStore(list.store);
    const { now } = useStore(app.store);
    const { selected, detail, isOpen, sort, filter } = state;
    const isBeside = isOpen && width >= besideColumns;
    const tableWidth = isBeside ? Math.floor(width * 0.56) : width;
    const tableHeight = isOpen && !isBeside ? Math.floor((height - 1) / 2) : height - 1;
    const detailWidth = isBeside ? width - tableWidth - 2 : width;
    const detailHeight = isBeside ? height - 1 : height - 1 - tableHeight;
    const isFiltered = filter !== '' || state.view !== null;
    const progress = progressOf(loading);
    const loaded = progress
      ? theme.accent(progress)
      : isFiltered && phase === 'ready'
        ? `${counted(shown.length, 'issue')} loaded`
        : '';
    const selection = selected.size > 0 ? theme.accent(`✓ ${selected.size} selected`) : '';
    const search = filter === '' ? '' : theme.accent(`/ ${filter}`);
    const right = [search, selection, loaded].filter((part) => part !== '').join('  ');
    return (
      <>
        <Lines lines={[headLine(state, right, width)]} height={1} />
        <Box flexDirection={isBeside ? 'row' : 'column'} height={height - 1}>
          <Box width={tableWidth} height={tableHeight}>
            <Table
              list={list}
              columns={issueTableColumns(now, String(shown[0]?.id ?? 0).length)}
              keyOf={({ id }) => id}
              width={tableWidth}
              height={tableHeight}
              selected={selected}
              sorted={{ heading: sort.column, sign: sort.isReversed ? '▴' : '▾' }}
              empty={
                isFiltered
                  ? [
                      problem() ?? 'No issues match.',
                      ...keyHints(app, ['everywhere.back', 'shows all issues.']),
                    ]
                  : ['No issues yet.', ...keyHints(app, ['issues.create', 'reports an issue.'])]
              }
            />
          </Box>
          {isOpen && (
            <Box width={detailWidth} height={detailHeight} marginLeft={isBeside ? 2 : 0}>
              <Lines
                lines={
                  detail === null
                    ? []
                    : issueDetailLines(app, detail, { width: detailWidth, height: detailHeight }, now)
                }
                height={detailHeight}
              />
            </Box>
          )}
        </Box>
      </>
    );
  };
}

/** Returns the views, what the list shows of them, and the trend if there is room for it. */
function headLine(state: IssuesState, right: string, width: number): string {
  const [whole, short] = viewLine(state);
  const { trend } = state;
  if (trend === null) return apartOr(whole, short, `${right} `, width);
  const sum = trend.reduce((all, count) => all + count, 0);
  const shown = `${theme.quiet(`${grouped(sum)} in ${trend.length} days`)} ${theme.accent(sparkline(trend))}`;
  const both = `${right === '' ? '' : `${right}  `}${shown} `;
  const hasRoom = cellsOf(whole) + cellsOf(both) + 2 <= width;
  return apartOr(whole, short, hasRoom ? both : `${right} `, width);
}

/** Returns the statuses with their counts, and a short form with only the current one. */
function viewLine({ view, counts, total }: IssuesState): [whole: string, short: string] {
  const countOf = (name: string | null) =>
    counts === null ? '' : ` ${grouped(name === null ? total : (counts.get(name) ?? 0))}`;
  const names = issueViews.map((name) => `${name ?? 'All'}${countOf(name)}`);
  const index = issueViews.indexOf(view);
  return [picker(names, index), picker([names[index] ?? ''], 0)];
}
