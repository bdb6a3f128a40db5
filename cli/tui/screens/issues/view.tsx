import { Box } from 'ink';
import { useMemo } from 'react';
import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { apart, cellsOf } from '../../../terminal/cells.ts';
import { counted, grouped } from '../../../terminal/number.ts';
import { printable } from '../../../terminal/text.ts';
import { Lines } from '../../components/lines.tsx';
import { Region } from '../../components/region.tsx';
import { sparkline } from '../../components/sparkline.ts';
import { Table } from '../../components/table.tsx';
import { connectHint, keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import { progressOf } from '../../list/position.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { pickedAt, picker, theme } from '../../theme.ts';
import { selectionNote } from '../rows/selection-note.ts';
import { partsOf, shownPart } from '../views/parts.ts';
import { issueDetailLines } from './detail-lines.ts';
import { type IssueRow, issueTableColumns } from './row.ts';
import { issueSorting } from './sort.ts';
import { countOf, type IssuesState } from './state.ts';

/** From this width on, the details are shown beside the list instead of below it. */
const besideColumns = 120;

export interface IssuesParts {
  readonly store: Store<IssuesState>;
  readonly list: List<IssueRow>;
  /** Returns why no issue can match the filter, if none can. */
  readonly problem: () => string | undefined;
  /** What clicks and the wheel do. */
  readonly onPart: (part: string | null) => void;
  readonly onOpen: () => void;
  readonly onSort: (heading: string) => void;
  readonly onScroll: (lines: number) => void;
}

/** Shows the list of issues and, if they are open, the details of the issue under the cursor. */
export function issuesView(app: App, parts: IssuesParts): Screen['View'] {
  const { store, list, problem, onPart, onOpen, onSort, onScroll } = parts;
  return ({ width, height }: Size) => {
    const state = useStore(store);
    const { shown, phase, ...loading } = useStore(list.store);
    const { now } = useStore(app.store);
    const { selected, detail, isOpen, sort, filter } = state;
    const digits = String(shown[0]?.id ?? 0).length;
    // The table draws its rows again only for other columns.
    const columns = useMemo(
      () => issueTableColumns(state.columns, now, digits),
      [state.columns, now, digits],
    );
    const isBeside = isOpen && width >= besideColumns;
    const tableWidth = isBeside ? Math.floor(width * 0.56) : width;
    const tableHeight = isOpen && !isBeside ? Math.floor((height - 1) / 2) : height - 1;
    const detailWidth = isBeside ? width - tableWidth - 2 : width;
    const detailHeight = isBeside ? height - 1 : height - 1 - tableHeight;
    const part = shownPart(state);
    const isCounted = filter === '' && countOf(state, part) !== undefined;
    const progress = progressOf(loading);
    const loaded = progress
      ? theme.accent(progress)
      : !isCounted && phase === 'ready'
        ? `${counted(shown.length, 'issue')} loaded`
        : '';
    const search = filter === '' ? '' : theme.accent(`/ ${filter}`);
    const right = [search, selectionNote(state), loaded].filter((part) => part !== '').join('  ');
    const names = fittingNames(state, width - cellsOf(right) - 2);
    const isWhole = names.length > 1;
    const partLine = picker(names, isWhole ? partsOf(issueStatuses, state).indexOf(part) : 0);
    const clickPart = (x: number) => {
      const at = isWhole ? pickedAt(names, x) : undefined;
      if (at !== undefined) onPart(partsOf(issueStatuses, state)[at] ?? null);
    };
    return (
      <>
        <Region onMouse={({ kind, x }) => kind !== 'wheel' && clickPart(x)} height={1}>
          <Lines lines={[headLine(state, partLine, right, width)]} height={1} />
        </Region>
        <Box flexDirection={isBeside ? 'row' : 'column'} height={height - 1}>
          <Box width={tableWidth} height={tableHeight}>
            <Table
              list={list}
              columns={columns}
              keyOf={({ id }) => id}
              width={tableWidth}
              height={tableHeight}
              selected={selected}
              onOpen={onOpen}
              onSort={onSort}
              sorted={{ heading: sort.column, sign: issueSorting.sign(sort) }}
              empty={emptyLines(app, state, problem())}
            />
          </Box>
          {isOpen && (
            <Region
              onMouse={({ kind, lines }) => kind === 'wheel' && onScroll(lines)}
              width={detailWidth}
              height={detailHeight}
              marginLeft={isBeside ? 2 : 0}
            >
              <Lines
                lines={
                  detail === null
                    ? []
                    : issueDetailLines(app, detail, { width: detailWidth, height: detailHeight }, now)
                }
                height={detailHeight}
              />
            </Region>
          )}
        </Box>
      </>
    );
  };
}

/** Returns the parts, what the list shows of them, and the trend if there is room for it. */
function headLine({ trend }: IssuesState, partLine: string, right: string, width: number): string {
  if (trend === null) return apart(partLine, `${right} `, width);
  const sum = trend.reduce((all, count) => all + count, 0);
  const shown = `${theme.quiet(`${grouped(sum)} in ${trend.length} days`)} ${theme.accent(sparkline(trend))}`;
  const whole = `${right === '' ? '' : `${right}  `}${shown} `;
  const hasRoom = cellsOf(partLine) + cellsOf(whole) + 2 <= width;
  return apart(partLine, hasRoom ? whole : `${right} `, width);
}

/** Returns what stands in place of the list if there are no issues. */
function emptyLines(app: App, state: IssuesState, problem: string | undefined): string[] {
  const { filter, saved, counts, total } = state;
  const part = shownPart(state);
  if (counts !== null && total === 0 && filter === '')
    return ['No issues yet.', connectHint, ...keyHints(app, ['issues.create', 'reports an issue.'])];
  if (problem !== undefined) return [problem, ...keyHints(app, ['everywhere.back', 'shows all issues.'])];
  if (filter === '' && part === null)
    return [`No issues in the view ${saved.name}.`, ...keyHints(app, ['issues.view', 'shows all issues.'])];
  const back = saved.filter === '' ? 'shows all issues.' : `goes back to ${saved.name}.`;
  return ['No issues match.', ...keyHints(app, ['everywhere.back', back])];
}

/** Returns the names of the parts in the longest form that fits: with their counts, without them, or only the current one. */
function fittingNames(state: IssuesState, cells: number): readonly string[] {
  const parts = partsOf(issueStatuses, state);
  const current = shownPart(state);
  const nameOf = (part: string | null) => part ?? printable(state.saved.name);
  const withCount = (part: string | null) => {
    const count = countOf(state, part);
    return count === undefined ? nameOf(part) : `${nameOf(part)} ${grouped(count)}`;
  };
  const forms = [
    parts.map(withCount),
    parts.map((part) => (part === current ? withCount(part) : nameOf(part))),
  ];
  return forms.find((names) => cellsOf(picker(names, 0)) <= cells) ?? [withCount(current)];
}
