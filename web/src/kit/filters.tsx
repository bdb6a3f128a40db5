import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { fieldsWith, leadingFields, type Noun } from '../../../src/contract/fields/field.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { SearchField } from '../parts/search-field.tsx';
import sheet from '../parts/sheet.module.css';
import { countOf } from '../parts/words.ts';
import { type Filter, parameterOf, periodInWords } from './address.ts';
import styles from './filters.module.css';
import { useGo } from './go.ts';
import type { List } from './list.ts';
import type { AnyRow } from './rows.ts';

/* The list is usable before one can choose from lists of words. */
const FilterChoices = lazyPart(
  () => import('./filter-choices.tsx'),
  'FilterChoices',
  ({ fields, hasPeriod }) => (
    <>
      {fields.map(([name]) => (
        <span key={name} className={sheet.pick} />
      ))}
      {hasPeriod && <span className={sheet.pick} />}
    </>
  ),
);
const CsvButton = lazyPart(
  () => import('../parts/csv-button.tsx'),
  'CsvButton',
  () => <span style={{ width: 42 }} />,
);

interface FiltersProps<Row extends AnyRow> {
  readonly list: List<Row>;
  readonly hasCsv?: boolean;
  /** What a page has beside them. */
  readonly children?: ReactNode;
}

/** The filters of a list, which are in the address, with what they find. On a phone, a button shows those that one chooses. */
export function Filters<Row extends AnyRow>(props: FiltersProps<Row>) {
  const { list, hasCsv = false, children } = props;
  const { resource, filter, total, newRows } = list;
  const { noun, hasPeriod = false, suggest = {}, reload } = resource;
  const [isOpen, { toggle }] = useDisclosure(false);
  const go = useGo();
  const change = (part: Filter) => go(part, true);
  const fields = leadingFields<Noun, 'filter'>(noun, 'filter');
  const chosen =
    fields.filter(([name, field]) => filter[parameterOf(name, field)] !== undefined).length +
    Number(periodInWords(filter) !== undefined);
  const hasSearch = fieldsWith<Noun, 'search'>(noun, 'search').length > 0;
  return (
    <div className={`${sheet.row} ${styles.filters}`}>
      {hasSearch && (
        <SearchField
          label={`Search ${noun.many}`}
          text={filter.q}
          className={styles.search}
          onChange={(q) => change({ q })}
        />
      )}
      {(fields.length > 0 || hasPeriod) && (
        <>
          <Button variant="default" className={styles.more ?? ''} aria-expanded={isOpen} onClick={toggle}>
            {chosen === 0 ? 'Filters' : `Filters (${chosen})`}
          </Button>
          <div className={styles.choices} data-open={isOpen || undefined}>
            <FilterChoices
              fields={fields}
              hasPeriod={hasPeriod}
              suggest={suggest}
              filter={filter}
              onChange={change}
            />
          </div>
        </>
      )}
      {children}
      <span className={`${sheet.row} ${styles.end}`}>
        {newRows > 0 && (
          <Button size="compact-sm" variant="light" onClick={() => void reload()}>
            {newRows < 50 ? newRows : '50 or more'} new
          </Button>
        )}
        <span className={`${sheet.number} ${styles.count}`} aria-live="polite">
          {total !== undefined && countOf(total, noun)}
        </span>
        {hasCsv && (
          <CsvButton
            label={noun.many}
            file={noun.many}
            total={total}
            lines={async (run) => (await import('./csv.ts')).linesOf(resource, filter, run)}
          />
        )}
      </span>
    </div>
  );
}
