import { Component, type ReactNode } from 'react';

/** Reports an error of a component, so that the dashboard can end and restore the terminal. */
export class ErrorBoundary extends Component<{
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}> {
  override state = { failed: false };
  static getDerivedStateFromError(): { failed: true } {
    return { failed: true };
  }
  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }
  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
