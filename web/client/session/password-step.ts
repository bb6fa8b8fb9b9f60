/** The link of a mail that lets its reader choose a password. */
export interface PasswordLink {
  readonly token: string
  readonly email: string
}

/** A step of a user who has no password to log in with, or does not remember it. */
export type PasswordStep =
  | {
      readonly step: 'forgot'
      /** Email to prefill. */
      readonly email: string | null
    }
  | {
      /** `reset`: a forgotten password. `choose`: the first one, by an invitation. */
      readonly step: 'reset' | 'choose'
      /** `null`: the address had no token, as after a reload. */
      readonly link: PasswordLink | null
    }

/** The last segment of the address of each step. */
export const STEP_PATHS = {
  forgot: '/forgot-password',
  reset: '/reset-password',
  choose: '/choose-password',
} as const satisfies Readonly<Record<PasswordStep['step'], string>>

/**
 * Reads the step that the page was opened at, and removes the token of a link from the address, so
 * that neither the history nor a script that runs later has it.
 *
 * @returns `null` at every other address, and on a server.
 */
export function takePasswordStep(): PasswordStep | null {
  if (typeof document === 'undefined') return null
  const { pathname, search, hash } = location
  const step = stepAt(pathname)
  if (step === null) return null
  if (step === 'forgot') return { step, email: null }
  const link = linkIn(hash)
  if (link !== null) history.replaceState(null, '', pathname + search)
  return { step, link }
}

/** Returns the step of a path; `null` for none. */
export function stepAt(path: string): PasswordStep['step'] | null {
  if (path.endsWith(STEP_PATHS.forgot)) return 'forgot'
  if (path.endsWith(STEP_PATHS.reset)) return 'reset'
  return path.endsWith(STEP_PATHS.choose) ? 'choose' : null
}

/**
 * Moves the address of a step to the panel's home: the application of a host has no page at it.
 */
export function leaveStepAddress(): void {
  const { pathname, search } = location
  const step = stepAt(pathname)
  if (step === null) return
  const home = pathname.slice(0, -STEP_PATHS[step].length)
  history.replaceState(null, '', (home === '' ? '/' : home) + search)
}

function linkIn(hash: string): PasswordLink | null {
  const values = new URLSearchParams(hash.slice(1))
  const token = values.get('token') ?? ''
  return token === '' ? null : { token, email: values.get('email') ?? '' }
}
