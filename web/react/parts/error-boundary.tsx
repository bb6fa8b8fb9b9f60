import { Component, type ReactNode } from 'react'

export interface ErrorBoundaryProps {
  /** Rendered in place of the content that failed. */
  readonly fallback: ReactNode
  /** A new value renders the children again. */
  readonly resetOn: string
  readonly children: ReactNode
}

interface ErrorBoundaryState {
  readonly failed: boolean
  readonly resetOn: string
}

/** Renders a fallback instead of an empty page when a component inside throws. */
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
    // Preact does not report it.
    reportError(error)
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
