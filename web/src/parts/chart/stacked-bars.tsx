import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, useId, useState } from 'react';
import { Axes } from './axes.tsx';
import { Bar } from './bar.tsx';
import styles from './chart.module.css';
import { type ChartData, sumOf } from './chart-data.ts';
import { ChartTip } from './chart-tip.tsx';
import { Fills } from './fills.tsx';
import { Legend } from './legend.tsx';
import { bandScale, valueScale } from './scales.ts';

/** The height of a chart with its legend, which leaves the rest to the drawing. The style sheet has it too. */
export const barsHeight = 268;
const [head, foot] = [20, 24];

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
  const { ref, width, height: chartHeight } = useElementSize();
  const id = useId();
  const [active, setActive] = useState<number>();
  const [entry, setEntry] = useState<number>();
  const height = Math.max(chartHeight - head - foot, 1);
  const values = valueScale(Math.max(0, ...rows.map(sumOf)), height, data);
  const names = rows.map(({ name }) => name);
  const bands = bandScale(names, values.left, Math.max(width, values.left + 1));
  const tabStop = Math.min(entry ?? rows.length - 1, rows.length - 1);
  const shown = active === undefined ? undefined : rows[active];

  function onKeyDown(event: KeyboardEvent<SVGSVGElement>): void {
    const next = nextBar(event.key, tabStop, rows.length);
    if (event.key === 'Escape') setActive(undefined);
    if (next === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll<SVGElement>('[data-bar]')[next]?.focus();
  }

  return (
    <figure className={styles.figure}>
      {series.length > 1 && <Legend series={series} />}
      <div ref={ref} className={styles.drawing}>
        {width > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: there is no element for a group of bars.
          <svg
            width={width}
            height={chartHeight}
            viewBox={`0 0 ${width} ${chartHeight}`}
            role="group"
            aria-label={label}
            onKeyDown={onKeyDown}
            onPointerLeave={() => setActive(undefined)}
          >
            <Fills id={id} colours={series.map(({ colour }) => colour)} />
            <Axes
              data={data}
              values={values}
              bands={bands}
              width={width}
              foot={head + height}
              bottom={chartHeight}
            />
            {rows.map((row, index) => (
              <Bar
                key={row.id}
                data={data}
                row={row}
                fills={id}
                isTabStop={index === tabStop}
                isActive={index === active}
                hasTotal={bands.width >= 24}
                place={{ x: bands.startOf(index), width: bands.width, step: bands.step, foot: head + height }}
                heightOf={values.heightOf}
                onShow={() => setActive(index)}
                onFocus={() => {
                  setEntry(index);
                  setActive(index);
                }}
                onBlur={() => setActive(undefined)}
              />
            ))}
          </svg>
        )}
        {shown && active !== undefined && (
          <ChartTip data={data} row={shown} x={bands.startOf(active) + bands.width / 2} width={width} />
        )}
      </div>
    </figure>
  );
}

/** Returns the bar that a key leads to. */
function nextBar(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(from + 1, count - 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(from - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
