import type { PanelSession } from './panel-session.ts'

/** A page of the host inside the ready panel. */
export interface HostPage {
  /** Path below the panel, such as `/people`; `/` replaces the panel's home. */
  readonly path: string
  /** Heading, document title and label in the navigation. */
  readonly title: string
  /** Language of the page. Default: the panel's. */
  readonly lang?: string
  /**
   * Renders the page into an empty element below the heading.
   *
   * @returns A cleanup function, if emptying the element is not enough.
   */
  readonly show: (element: HTMLElement, panel: PanelOfPage) => (() => void) | undefined
}

/** The panel as a host's page sees it. */
export interface PanelOfPage {
  /** Send requests with `session.request`, which notices the end of the session. */
  readonly session: PanelSession
  /** Language of the panel's texts. */
  readonly locale: string
  /** Announces a message to screen readers, politely. */
  readonly announce: (message: string) => void
  /** Shows an error above the heading and focuses it; `null` removes it. */
  readonly showProblem: (problem: PageProblem | null) => void
}

/** One message, or one for each invalid field. */
export type PageProblem = string | readonly FieldProblem[]

/** An invalid field of a page. */
export interface FieldProblem {
  /** `id` of the control that the message links to. */
  readonly id: string
  readonly message: string
}

/**
 * Exports of the module that `spa.pages` names.
 *
 * @example
 * ```ts
 * export const pages: HostPages['pages'] = [
 *   {
 *     path: '/orders',
 *     title: 'Orders',
 *     show(element) {
 *       element.textContent = 'No orders'
 *       return undefined
 *     },
 *   },
 * ]
 * ```
 */
export interface HostPages {
  readonly pages: readonly HostPage[]
}
