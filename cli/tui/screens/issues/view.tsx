import { Box } from 'ink';
import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { apartOr } from '../../../output/cells.ts';
import { counted, grouped } from '../../../output/number.ts';
import type { App } from '../../app.ts';
import { Lines } from '../../components/lines.tsx';
import { Table } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import type { Screen, Size } from '../../screen-types.ts';
import { type Store, useStore } from '../../store.ts';
import { picker, theme } from '../../theme.ts';
import type { IssueDetail, issueDetail } from './detail.ts';
import type { Sort } from './order.ts';
import { type IssueRow, issueColumns } from './row.ts';

export interface IssuesState {
  readonly filter: string;
  /** Only those of this status; null for all. */
  readonly view: string | null;
  readonly sort: Sort;
  readonly selected: ReadonlySet<number>;
  /** How many there are of each status; null before it is known. */
  readonly counts: ReadonlyMap<string, number> | null;
  readonly total: number;
  readonly detail: IssueDetail | null;
  readonly isOpen: boolean;
}

/** What the list is narrowed to; null for all. */
export const issueViews: readonly (string | null)[] = [null, ...issueStatuses];

/** From here on, details stand beside the list; below, under it. */
const wide = 120;

export interface IssuesParts {
  readonly store: Store<IssuesState>;
  readonly list: List<IssueRow>;
  readonly details: ReturnType<typeof issueDetail>;
}

/** The list of issues and, where they are open, the details of the one under the cursor. */
export function issuesView(app: App, { store, list, details }: IssuesParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const state = useStore(store);
    const { shown, filling, phase } = useStore(list.store);
    const { now } = useStore(app.store);
    const { selected, detail, isOpen, sort, filter } = state;
    const isBeside = isOpen && width >= wide;
    const tableWidth = isBeside ? Math.floor(width * 0.56) : width;
    const tableHeight = isOpen && !isBeside ? Math.floor((height - 1) / 2) : height - 1;
    const detailWidth = isBeside ? width - tableWidth - 2 : width;
    const detailHeight = isBeside ? height - 1 : height - 1 - tableHeight;
    const isNarrowed = filter !== '' || state.view !== null;
    const loaded = filling
      ? theme.accent(`loading ${grouped(shown.length)}…`)
      : isNarrowed && phase === 'ready'
        ? `${counted(shown.length, 'issue')} loaded`
        : '';
    const marked = selected.size > 0 ? theme.accent(`✓ ${selected.size} selected`) : '';
    const searched = filter === '' ? '' : theme.accent(`/ ${filter}`);
    const right = [searched, marked, loaded].filter((part) => part !== '').join('  ');
    return (
      <>
        <Lines lines={[apartOr(...viewLine(state), `${right} `, width)]} height={1} />
        <Box flexDirection={isBeside ? 'row' : 'column'} height={height - 1}>
          <Box width={tableWidth} height={tableHeight}>
            <Table
              list={list}
              columns={issueColumns(now, String(shown[0]?.id ?? 0).length)}
              keyOf={({ id }) => id}
              width={tableWidth}
              height={tableHeight}
              selected={selected}
              sorted={{ heading: sort.column, sign: sort.isReversed ? '▴' : '▾' }}
              empty={
                isNarrowed
                  ? ['No issue is of that kind.', ...keyHints(app, ['everywhere.back', 'shows the others.'])]
                  : ['There are no issues. A quiet day.', ...keyHints(app, ['issues.create', 'reports one.'])]
              }
            />
          </Box>
          {isOpen && (
            <Box width={detailWidth} height={detailHeight} marginLeft={isBeside ? 2 : 0}>
              <Lines lines={details.lines(detail, detailWidth, detailHeight, now)} height={detailHeight} />
            </Box>
          )}
        </Box>
      </>
    );
  };
}

/** The statuses with how many there are of each. */
function viewLine({ view, counts, total }: IssuesState): [whole: string, short: string] {
  const sizeOf = (name: string | null) =>
    counts === null ? '' : ` ${grouped(name === null ? total : (counts.get(name) ?? 0))}`;
  const names = issueViews.map((name) => `${name ?? 'All'}${sizeOf(name)}`);
  const at = issueViews.indexOf(view);
  return [picker(names, at), picker([names[at] ?? ''], 0)];
}
