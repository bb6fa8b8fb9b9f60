import type { HostPage, PanelSession } from '../src/client/client.ts'

/** Loads the host's own pages; rejects when they cannot be loaded. */
export type LoadPages = () => Promise<readonly HostPage[]>

/** What there is to say of a panel that is drawn into a page. */
export interface PanelOptions {
  /** Path of the panel as the service has it, `/{prefix}/{panel}`. The page is served at every address below it. */
  readonly base: string
  /** Name that people know the panel by. Default: the title of the document. */
  readonly name?: string
  /** Address of help. Default: `null`, there is none. */
  readonly help?: string | null
  /** Default: `absent`, there is no security page, and nothing leads there. */
  readonly twoFactor?: 'bound' | 'absent'
  /** How long the link of a verification mail works, in minutes. Default: 60, as the service has it. */
  readonly linkMinutes?: number
  /**
   * The host's own pages, in the order of the navigation, or what loads them. A function is called again when a
   * person retries after a failure. Default: none.
   */
  readonly pages?: readonly HostPage[] | Promise<readonly HostPage[]> | LoadPages
  /**
   * Tells whether the server has a newer version of this page. It is asked when a file does not load, and while a
   * person moves in the panel; then the next link loads the page anew, unless input would be lost. Default: never.
   */
  readonly isOutdated?: () => Promise<boolean>
  /** A BCP 47 tag. Default: the language of the document. */
  readonly locale?: string
  /** Default: one of its own, at the page's origin, in step with the other tabs. */
  readonly session?: PanelSession
}

/** What there is to say of a bell that is drawn into a page. */
export interface BellOptions {
  /** Name of the panel whose tabs it is in step with. Default: `main`. */
  readonly panel?: string
  /** Origin of the service. Default: the page's own. */
  readonly baseUrl?: string
  /** A BCP 47 tag. Default: the language of the document. */
  readonly locale?: string
  /** Default: one of its own, in step with the other tabs. */
  readonly session?: PanelSession
}
