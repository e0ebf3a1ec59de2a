/** Shown instead of a page that has crashed: what happened, and how to recover. */

import { Component, type ReactNode } from 'react';

interface BoundaryState {
  readonly fault: Error | null;
}

export class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { fault: null };

  static getDerivedStateFromError(fault: Error): BoundaryState {
    return { fault };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === null) return this.props.children;
    return (
      <main role="alert" className="broken">
        <h1>This page has crashed</h1>
        <p>Your orders and positions at the venue are unchanged. ({fault.message})</p>
        <button type="button" onClick={() => this.setState({ fault: null })}>
          Show the page again
        </button>
      </main>
    );
  }
}
