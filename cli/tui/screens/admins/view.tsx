import { apart } from '../../../terminal/cells.ts';
import { counted } from '../../../terminal/number.ts';
import { Lines } from '../../components/lines.tsx';
import { Table } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { theme } from '../../theme.ts';
import { type AdminRow, adminTableColumns } from './row.ts';

export interface AdminsState {
  readonly page: number;
  readonly totalPages: number;
  readonly total: number;
  readonly filter: string;
  readonly sort: { readonly column: 'created' | 'email' | 'username'; readonly isReversed: boolean };
}

export interface AdminsParts {
  readonly store: Store<AdminsState>;
  readonly list: List<AdminRow>;
}

/** Shows one page of the admins. */
export function adminsView(app: App, { store, list }: AdminsParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const { page, totalPages, total, filter, sort } = useStore(store);
    const { now } = useStore(app.store);
    const count = theme.quiet(counted(total, 'admin'));
    const search = filter === '' ? '' : theme.accent(`/ ${filter}  `);
    const position = `${search}${theme.quiet(`page ${page} of ${totalPages} `)}`;
    return (
      <>
        <Lines lines={[apart(`  ${count}`, position, width)]} height={1} />
        <Table
          list={list}
          columns={adminTableColumns(now)}
          keyOf={({ id }) => id}
          width={width}
          height={height - 1}
          sorted={{
            heading: sort.column === 'email' ? 'e-mail' : sort.column,
            sign: sort.isReversed ? '▼' : '▲',
          }}
          empty={
            filter === ''
              ? ['No admins yet.', ...keyHints(app, ['admins.create', 'creates an admin.'])]
              : ['No admins match.', ...keyHints(app, ['everywhere.back', 'shows all admins.'])]
          }
        />
      </>
    );
  };
}
