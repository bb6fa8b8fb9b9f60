/**
 * The option `spa` of the configuration, as a host names it. The part that the panel receives is in
 * `PanelSettings`.
 */
export interface SpaOptions {
  /** Serves only the API and no pages. Default: false. */
  readonly off?: boolean
  /** The name of the panel. Default: "Panel". */
  readonly name?: string
  /**
   * The path of a JavaScript module that the host serves on this site. Its export `pages` adds
   * pages to the panel, in the order of the navigation. Default: none.
   *
   * @see `HostPages` of `@svc/auth/client`
   */
  readonly pages?: string
  /** Links to pages of the host. */
  readonly links?: {
    /** The URL of the host's help. Default: none. */
    readonly help?: string
    /**
     * The address of the host's page on which users change their password, for password managers.
     * Default: the Security page where `passwords` is bound, otherwise none.
     */
    readonly change_password?: string
    /**
     * The address of the host's page for users who have forgotten their password; the login links
     * to it, unless the service resets passwords itself. Default: none.
     */
    readonly reset_password?: string
  }
  /** The number of digits that the code step mentions, from 4 to 12. Default: none. */
  readonly code_digits?: number
}

/** Options of the screens of a panel, in every framework. */
export interface ScreenOptions {
  /** Name of the panel, for the screens, their titles and the file with the recovery codes. */
  readonly name: string
  /** Number of digits that the code step mentions. Default: `null`, not mentioned. */
  readonly codeDigits?: number | null | undefined
  /** Lifetime of a verification mail's link, in minutes. Default: `null`, not mentioned. */
  readonly linkMinutes?: number | null | undefined
}

/** The settings of a panel. The service writes them into its page. */
export interface PanelSettings extends Partial<ScreenOptions> {
  /**
   * Path of the panel in the service, `/{prefix}/{panel}`. The host serves the page at every
   * address below it.
   */
  readonly base: string
  /** Name of the panel. Default: the title of the document. */
  readonly name?: string
  /** Address of help. Default: `null`, no help. */
  readonly help?: string | null
  /**
   * Address for users who have forgotten their password; not used if `passwords` is `true`.
   * Default: `null`, no link.
   */
  readonly resetPassword?: string | null
  /** Default: `absent`, the panel has no security page. */
  readonly twoFactor?: 'bound' | 'absent'
  /**
   * `true`: the service resets and changes passwords, so that the panel has the screens for it.
   * Default: false.
   */
  readonly passwords?: boolean
  /**
   * `true`: the service asks users to confirm that it is them, so that the panel returns to a page
   * of the host that demands it. Default: false.
   */
  readonly confirmation?: boolean
  /**
   * `true`: the service lists sessions and reports logins at new places, so that the panel has the
   * screens for it. Default: false.
   */
  readonly sessions?: boolean
  /**
   * `true`: the service lists the security events of the user, so that the Security page and the
   * home page show them. Default: false.
   */
  readonly activity?: boolean
  /** Days for which the login offers to stay logged in. Default: `null`, no offer. */
  readonly rememberDays?: number | null
  /** Days for which the code step offers to ask for no code. Default: `null`, no offer. */
  readonly trustDays?: number | null
  /** Lifetime of a verification mail's link, in minutes. Default: 60, as in the service. */
  readonly linkMinutes?: number
}

/** The defaults of the screens' options. */
export const screenDefaults: Required<Omit<ScreenOptions, 'name'>> = {
  codeDigits: null,
  linkMinutes: null,
}

/** The defaults of a panel's settings. */
export const panelDefaults: Required<Omit<PanelSettings, 'base' | 'name'>> = {
  codeDigits: null,
  help: null,
  resetPassword: null,
  twoFactor: 'absent',
  passwords: false,
  confirmation: false,
  sessions: false,
  activity: false,
  linkMinutes: 60,
  rememberDays: null,
  trustDays: null,
}

/** Returns what is given for each default. A host in plain JavaScript may give `undefined`. */
export function withDefaults<Settings extends object>(
  defaults: Settings,
  given: { readonly [Name in keyof Settings]?: Settings[Name] | undefined },
): Settings {
  const known = Object.entries(given).filter(
    ([name, value]) => Object.hasOwn(defaults, name) && value !== undefined,
  )
  return { ...defaults, ...Object.fromEntries(known) }
}

/** The settings in a page of the service. */
export interface WrittenPage extends PanelSettings {
  readonly name: string
  /** Address of the module that exports the host's own pages; `null` without host pages. */
  readonly pagesModule: string | null
  /** Version of the page. It changes with every file of the build. */
  readonly release: string
}
