import { useElementSize } from '@mantine/hooks';
import { nice, ticks } from 'd3-array';
import { type KeyboardEvent, useState } from 'react';
import sheet from '../parts/sheet.module.css';
import { Bar, looksOf } from './bar.tsx';
import styles from './chart.module.css';
import { type ChartData, type ChartRow, formatOf, partsOf, sumOf } from './chart-data.ts';

const tickCount = 4;
/** How wide a character is at most, on average: in wide fonts such as DejaVu Sans and Verdana. */
const characterWidth = 7.5;
const gap = 8;

interface StackedBarsProps {
  /** What the chart shows, in a sentence. */
  readonly label: string;
  readonly data: ChartData;
}

/**
 * Stacked bars with their axes and a legend. The bars are one stop of the Tab key; arrows, Home and End move along them. Each
 * has its values as its name, which screen readers speak.
 */
export function StackedBars({ label, data }: StackedBarsProps) {
  const { rows, series } = data;
  const { ref, width } = useElementSize();
  const [active, setActive] = useState<number>();
  const [entry, setEntry] = useState<number>();
  const { end, shown: values } = scaleOf(data);
  const step = width / rows.length;
  const format = formatOf(data);
  const nameEvery = Math.ceil((widest(rows.map(({ name }) => name)) + gap) / step);
  const hasSums = widest(rows.map((row) => format(sumOf(row)))) < step;
  const tabStop = Math.min(entry ?? rows.length - 1, rows.length - 1);
  const shown = active === undefined ? undefined : rows[active];

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const next = nextBar(event.key, tabStop, rows.length);
    if (event.key === 'Escape') setActive(undefined);
    if (next === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll<HTMLElement>('[data-bar]')[next]?.focus();
  }

  return (
    <figure className={styles.figure}>
      {series.length > 1 && <Legend series={series} />}
      <div className={`${sheet.small} ${styles.plot}`}>
        <div className={styles.ticks} aria-hidden="true">
          {values.map((value) => (
            <span key={value} style={{ bottom: `${(value / end) * 100}%` }}>
              {format(value)}
            </span>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form. */}
        <div
          ref={ref}
          className={styles.bars}
          role="group"
          aria-label={label}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setActive(undefined)}
        >
          {values.map((value) => (
            <span key={value} className={styles.line} style={{ bottom: `${(value / end) * 100}%` }} />
          ))}
          {rows.map((row, index) => (
            <Bar
              key={row.id}
              data={data}
              row={row}
              end={end}
              isTabStop={index === tabStop}
              isActive={index === active}
              hasName={width > 0 && (rows.length - 1 - index) % nameEvery === 0}
              hasSum={width > 0 && hasSums}
              onActive={(by) => {
                setActive(by && index);
                if (by === 'focus') setEntry(index);
              }}
            />
          ))}
          {shown && active !== undefined && <Tip data={data} row={shown} at={(active + 0.5) / rows.length} />}
        </div>
      </div>
    </figure>
  );
}

function Legend({ series }: Pick<ChartData, 'series'>) {
  return (
    <ul className={`${sheet.row} ${styles.legend}`}>
      {series.map((one, index) => (
        <li key={one.name}>
          {swatchOf(index, one.colour)}
          <span className={sheet.cut} title={one.name} dir="auto">
            {one.name}
          </span>
        </li>
      ))}
    </ul>
  );
}

const swatchOf = (index: number, colour: string) => (
  <span className={styles.swatch} style={looksOf(index, colour)} />
);

interface TipProps {
  readonly data: ChartData;
  readonly row: ChartRow;
  /** The middle of the bar, from 0 to 1. */
  readonly at: number;
}

/** The values of a bar, beside it. Screen readers get them from the bar. */
function Tip({ data, row, at }: TipProps) {
  const format = formatOf(data);
  const isStack = data.series.length > 1;
  const beside = at > 0.5 ? 'right' : 'left';
  const place = { [beside]: `calc(${(at > 0.5 ? 1 - at : at) * 100}% + 16px)` };
  return (
    <div className={styles.tip} aria-hidden="true" style={place}>
      <strong>{row.title}</strong>
      {isStack &&
        partsOf(data, row).map(({ index, value, name, colour }) => (
          <span key={name} className={sheet.row}>
            {swatchOf(index, colour)}
            <bdi>{name}</bdi>
            <span>{format(value)}</span>
          </span>
        ))}
      <span className={sheet.row}>
        <span>{isStack ? 'All' : data.series[0]?.name}</span>
        <span>{format(sumOf(row))}</span>
      </span>
    </div>
  );
}

const widest = (texts: readonly string[]) =>
  Math.max(0, ...texts.map(({ length }) => length)) * characterWidth;

/** Returns the values at the side of a chart, and the round one that it ends at. */
function scaleOf(data: ChartData): { readonly end: number; readonly shown: readonly number[] } {
  const most = Math.max(...data.rows.map(sumOf));
  const [, end] = nice(0, most > 0 ? most : 1, tickCount);
  const format = formatOf(data);
  const labels = new Set<string>();
  const shown = ticks(0, end, tickCount).filter((value) => {
    // There is no half of an issue.
    if (data.format === undefined && !Number.isInteger(value)) return false;
    // Two values with one label say nothing, such as two costs of less than a cent.
    return !labels.has(format(value)) && labels.add(format(value));
  });
  return { end, shown };
}

/** Returns the bar that a key leads to. */
function nextBar(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(from + 1, count - 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(from - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
