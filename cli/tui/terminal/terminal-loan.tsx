import { useApp } from 'ink';
import { type ReactNode, useEffect } from 'react';

type Lend = (work: () => Promise<void>) => Promise<void>;

/** Gives the terminal away for a while: to the shell, or to a program such as an editor. */
export interface TerminalLoan {
  readonly lend: Lend;
  isLent(): boolean;
  /** Belongs into the tree that Ink draws. */
  readonly Lender: () => ReactNode;
}

export interface LoanOptions {
  /** Puts back what only the dashboard uses of the terminal. */
  readonly onLend: () => void;
  /** Takes it again, and draws over what the program has left. */
  readonly onReturn: () => void;
}

export function createTerminalLoan({ onLend, onReturn }: LoanOptions): TerminalLoan {
  let isLent = false;
  let leave: Lend = (work) => work();
  const lend: Lend = async (work) => {
    isLent = true;
    const returnSignals = takeInterrupts();
    onLend();
    try {
      await leave(work);
    } finally {
      returnSignals();
      isLent = false;
      onReturn();
    }
  };
  const Lender = () => {
    const { suspendTerminal } = useApp();
    useEffect(() => {
      leave = (work) => suspendTerminal(work);
    }, [suspendTerminal]);
    return null;
  };
  return { lend, isLent: () => isLent, Lender };
}

/** Ctrl-C is meant for the program that has the terminal. Returns a function that lets it end this process again. */
function takeInterrupts(): () => void {
  const listeners = process.listeners('SIGINT');
  const ignore = () => {};
  process.on('SIGINT', ignore);
  for (const listener of listeners) process.off('SIGINT', listener);
  return () => {
    for (const listener of listeners) process.on('SIGINT', listener);
    process.off('SIGINT', ignore);
  };
}
