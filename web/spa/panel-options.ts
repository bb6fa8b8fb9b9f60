import type { PanelSettings, ScreenOptions } from '../../src/rules/panel-settings.ts'
import type { HostPage, PanelSession } from '../client/client.ts'

/** Loads the host's own pages; rejects if they cannot be loaded. */
export type LoadPages = () => Promise<readonly HostPage[]>

/** Options of a panel in the host's page. */
export interface PanelOptions extends PanelSettings {
  /**
   * `shown` lets the user choose between light, dark and the theme of the device: the panel sets
   * `data-svc-theme` on `<html>`, and keeps the choice in the cookie `svc_theme` for the path of
   * the panel. Default: `absent`, the theme is the host's.
   */
  readonly themeMenu?: 'shown' | 'absent'
  /**
   * `shown` lets the user choose the language: the panel keeps the choice in the cookie
   * `svc_language` for the path of the panel, and loads the page again. Default: `absent`, the
   * language is the host's.
   */
  readonly languageMenu?: 'shown' | 'absent'
  /**
   * The host's own pages, in the order of the navigation, or a function that loads them. The
   * function is called again when a user retries after a failure. Default: none.
   */
  readonly pages?: readonly HostPage[] | Promise<readonly HostPage[]> | LoadPages
  /**
   * Returns `true` if the server has a newer version of this page, which a bar then offers to load.
   * Called when a file does not load, during navigation and when the user returns to the tab; the
   * next link then reloads the page, unless input would be lost. Default: never.
   */
  readonly isOutdated?: () => Promise<boolean>
  /** A BCP 47 tag. Default: the language of the document. */
  readonly locale?: string
  /**
   * Default: a new session at the page's origin, connected with the other tabs. A session of your
   * own needs its options `passwords`, `sessions`, `activity`, `rememberDays` and `trustDays`;
   * those of the panel are not read then.
   */
  readonly session?: PanelSession
}

/** Options of a bell in the host's page. */
export interface BellOptions {
  /** Name of the panel whose tabs the bell is connected with. Default: `main`. */
  readonly panel?: string
  /** Origin of the service. Default: the page's own. */
  readonly baseUrl?: string
  /** A BCP 47 tag. Default: the language of the document. */
  readonly locale?: string
  /** Default: a new session, connected with the other tabs. */
  readonly session?: PanelSession
}

/** Options of the security page in the host's page. */
export interface SecurityOptions {
  /** The session of the page. */
  readonly session: PanelSession
  /** Name of the panel, for the file with the recovery codes. */
  readonly name: string
  /** `absent`: the service has no second factor. Default: `bound`. */
  readonly twoFactor?: 'bound' | 'absent'
  /** A BCP 47 tag. Default: the language of the document. */
  readonly locale?: string
  /**
   * Returns `true` if the server has a newer version of this page, which a bar then offers to load.
   * Called when a file does not load, and at most once a minute when the user returns to the tab.
   * Default: the page is never outdated.
   */
  readonly isOutdated?: () => Promise<boolean>
  /** Called with the heading, such as for the title of the document. */
  readonly onTitle?: (title: string) => void
}

/**
 * Fills an empty element of a screen.
 *
 * @returns A cleanup function, if removing the element is not enough.
 */
export type ShowSlot = (element: HTMLElement) => (() => void) | undefined

/** Options of the screens in the host's page. */
export interface ScreensOptions
  extends ScreenOptions, Omit<SecurityOptions, 'name' | 'twoFactor' | 'onTitle'> {
  /** Shown above every screen. Must keep its identity. Default: the panel's name and its mark. */
  readonly brand?: ShowSlot
  /**
   * Shown below the login form and the code form, such as a link to help. Must keep its identity.
   * Default: nothing.
   */
  readonly help?: ShowSlot
  /**
   * Shown below the login form: a link that resets a password. Must keep its identity. Default:
   * nothing. Not shown if the session has `passwords`: the service then resets them.
   */
  readonly forgotPassword?: ShowSlot
}
