/** The link of a mail, with the token in it. */
export interface PasswordLink {
  readonly token: string
  /** Empty in the link of a login that the user disowns. */
  readonly email: string
}

/** A step of a user who has no session, or has it from elsewhere: mostly opened by a mail. */
export type PasswordStep =
  | {
      readonly step: 'forgot'
      /** Email to prefill. */
      readonly email: string | null
    }
  | {
      /**
       * `reset`: a forgotten password. `choose`: the first one, by an invitation. `disown`: a login
       * that was not the user's.
       */
      readonly step: 'reset' | 'choose' | 'disown'
      /** `null`: the address had no token, as after a reload. */
      readonly link: PasswordLink | null
    }

/** The layers of the service that have steps. */
export interface StepLayers {
  /** `true` if the service resets and changes passwords. */
  readonly passwords: boolean
  /** `true` if the service lists sessions and reports logins at new places. */
  readonly sessions: boolean
}

/** The last segment of the address of each step. */
export const STEP_PATHS = {
  forgot: '/forgot-password',
  reset: '/reset-password',
  choose: '/choose-password',
  disown: '/not-me',
} as const satisfies Readonly<Record<PasswordStep['step'], string>>

const steps = Object.keys(STEP_PATHS) as readonly PasswordStep['step'][]

/**
 * Reads the step that the page was opened at, and removes the token of a link from the address, so
 * that neither the history nor a script that runs later has it.
 *
 * @returns `null` at every other address, and on a server.
 */
export function takePasswordStep(layers: StepLayers): PasswordStep | null {
  if (typeof document === 'undefined') return null
  const { pathname, search, hash } = location
  const step = stepAt(pathname, layers)
  if (step === null) return null
  if (step === 'forgot') return { step, email: null }
  const link = linkIn(hash)
  // Without the state, in which some routers keep the address with the token.
  if (link !== null) history.replaceState(null, '', pathname + search)
  return { step, link }
}

/** Returns the step of a path; `null` for none. Without its layer, the path is the host's. */
export function stepAt(
  path: string,
  { passwords, sessions }: StepLayers,
): PasswordStep['step'] | null {
  const step = steps.find((name) => path.endsWith(STEP_PATHS[name]))
  if (step === undefined) return null
  return (step === 'disown' ? sessions : passwords) ? step : null
}

/**
 * Moves the address of a step to the panel's home: the application of a host has no page at it.
 */
export function leaveStepAddress(layers: StepLayers): void {
  const { pathname, search } = location
  const step = stepAt(pathname, layers)
  if (step === null) return
  const home = pathname.slice(0, -STEP_PATHS[step].length)
  history.replaceState(history.state, '', (home === '' ? '/' : home) + search)
}

function linkIn(hash: string): PasswordLink | null {
  const values = new URLSearchParams(hash.slice(1))
  const token = values.get('token') ?? ''
  return token === '' ? null : { token, email: values.get('email') ?? '' }
}
