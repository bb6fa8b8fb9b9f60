import type { PanelSession } from './panel-session.ts'

/** A page of the host's own inside the ready panel. */
export interface HostPage {
  /** Below the panel, such as `/people`; `/` stands in the place of the panel's home. */
  readonly path: string
  /** Its heading, its title, and its name in the navigation. */
  readonly title: string
  /** Language of the title and of all that the page says. Default: the panel's. */
  readonly lang?: string
  /**
   * Draws the page into an element that is empty and below the heading.
   *
   * @returns how to take it away, where there is more to do than to empty the element.
   */
  readonly show: (element: HTMLElement, panel: PanelOfPage) => (() => void) | undefined
}

/** What a page of the host gets of the panel. */
export interface PanelOfPage {
  /** Requests go through `session.request`, so that the end of the session is noticed. */
  readonly session: PanelSession
  /** Language of the panel's texts. */
  readonly locale: string
  /** Has a message spoken politely. */
  readonly announce: (message: string) => void
  /** Shows what is wrong above the heading and moves the focus there; `null` takes it away. */
  readonly showProblem: (problem: PageProblem | null) => void
}

/** One message, or one for each field that is wrong. */
export type PageProblem = string | readonly FieldProblem[]

/** What is wrong with a field of a page. */
export interface FieldProblem {
  /** `id` of its control, which the message leads to. */
  readonly id: string
  readonly message: string
}

/** What a module exports that `spa.pages` names. */
export interface HostPages {
  readonly pages: readonly HostPage[]
}
