import { Component } from 'react'
import type { ReactNode } from 'react'

export interface ErrorBoundaryProps {
  /** Shown in place of what failed to render. */
  readonly fallback: ReactNode
  /** The children are rendered again when it changes. */
  readonly resetOn: string
  readonly children: ReactNode
}

interface ErrorBoundaryState {
  readonly failed: boolean
  readonly resetOn: string
}

/** Shows a fallback instead of an empty page when a component inside throws while it renders. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: false, resetOn: this.props.resetOn }

  static getDerivedStateFromError(): Pick<ErrorBoundaryState, 'failed'> {
    return { failed: true }
  }

  static getDerivedStateFromProps(
    { resetOn }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return resetOn === state.resetOn ? null : { failed: false, resetOn }
  }

  override componentDidCatch(error: unknown): void {
    // Preact keeps it to itself.
    reportError(error)
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
