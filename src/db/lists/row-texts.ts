import { type FragmentSqlToken, sql } from 'slonik';
import { type LongRow, maxShortTextBytes } from './found-rows.ts';
import { keptOr, type ListQuery, rowAsJson } from './list-query.ts';

/** Surrounds a long row among the texts of the short ones, where JSON would escape it. */
const mark = '\u0001';

/** Returns the text of a row: its JSON if it is short, else what stands for it among the other texts. */
export function rowText(query: ListQuery): FragmentSqlToken {
  const { columns, keptText, maxTextBytes, id } = query;
  return keptOr(
    keptText,
    sql.fragment`
      case when ${maxTextBytes} > ${maxShortTextBytes}
        then ${mark} || json_build_array(${maxTextBytes}, ${id})::text || ${mark}
        else ${rowAsJson({ columns })}
      end
    `,
  );
}

/** Splits texts of rows that are joined by commas: short rows stay together, and between them are the long ones. */
export function partsOf(rows: string): (string | LongRow)[] {
  if (!rows.includes(mark)) return [rows];
  return rows.split(mark).flatMap((part, index): (string | LongRow)[] => {
    if (index % 2 === 1) {
      const [bytes, id] = JSON.parse(part) as [number, string | number];
      return [{ bytes, id }];
    }
    const short = part.replace(/^,|,$/g, '');
    return short === '' ? [] : [short];
  });
}
