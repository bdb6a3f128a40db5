import { Link } from '@tanstack/react-router';
import { type CSSProperties, type MouseEvent, type PointerEvent, useRef } from 'react';
import styles from './chart.module.css';
import { type ChartData, type ChartRow, formatOf, partsOf, spoken, sumOf } from './chart-data.ts';

const lines = (angle: number, width: number, step: number) =>
  `repeating-linear-gradient(${angle}deg, var(--colour) 0 ${width}px, transparent ${width}px ${step}px)`;

/** What tells series apart without their colours. The first is a plain area, the fourth a light one. */
const patterns = [
  'linear-gradient(var(--colour) 0 0)',
  lines(-45, 1.5, 4),
  'radial-gradient(var(--colour) 1.2px, transparent 1.4px) 0 0 / 4px 4px',
  '',
  lines(0, 1, 3),
  `${lines(45, 1, 4)}, ${lines(-45, 1, 4)}`,
  lines(90, 1, 3),
  lines(45, 1.5, 4),
] as const;

/** Returns the look of the areas of a series. The style sheet adds a frame, and the pattern lies on a pale ground. */
export function looksOf(index: number, colour: string): CSSProperties {
  const pattern = patterns[index % patterns.length];
  const ground = `color-mix(in srgb, ${colour} 15%, var(--surface))`;
  return { '--colour': colour, background: pattern ? `${pattern}, ${ground}` : ground } as CSSProperties;
}

interface BarProps {
  readonly data: ChartData;
  readonly row: ChartRow;
  /** The value that would be as high as the chart. */
  readonly end: number;
  readonly isTabStop: boolean;
  /** Whether its values are shown. */
  readonly isActive: boolean;
  /** Whether there is room for its name below it, and for its sum above it. */
  readonly hasName: boolean;
  readonly hasSum: boolean;
  /** Shows its values, because it has the pointer or the focus, or hides them. */
  readonly onActive: (by: 'pointer' | 'focus' | undefined) => void;
}

/** A bar of parts. One that leads somewhere is a link. On a touch screen, the first tap shows its values. */
export function Bar({ data, row, end, isTabStop, isActive, hasName, hasSum, onActive }: BarProps) {
  const wasShown = useRef(false);
  const sum = sumOf(row);
  const target = {
    'data-bar': true,
    'data-active': isActive || undefined,
    'aria-label': spoken(data, row),
    tabIndex: isTabStop ? 0 : -1,
    className: styles.bar,
    onFocus: () => onActive('focus'),
    onBlur: () => onActive(undefined),
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && onActive('pointer'),
    onPointerDown: ({ pointerType }: PointerEvent) => {
      wasShown.current = isActive || pointerType === 'mouse';
      onActive('pointer');
    },
    // What the style sheet writes is no content, which the name of a link would have to repeat.
    children: (
      <>
        {partsOf(data, row).map(({ name, colour, index, value }) => {
          const style = { ...looksOf(index, colour), height: `${(value / end) * 100}%` };
          return <span key={name} className={styles.part} style={style} />;
        })}
        {hasSum && sum > 0 && <span className={styles.sum} data-text={formatOf(data)(sum)} />}
        {hasName && <span className={styles.barName} data-text={row.name} />}
      </>
    ),
  };
  if (row.link === undefined) return <span role="img" {...target} />;
  function onClick(event: MouseEvent): void {
    // A click by the keyboard has no pointer.
    if (event.detail > 0 && !wasShown.current) event.preventDefault();
  }
  return <Link {...row.link} {...target} draggable={false} onClick={onClick} />;
}
