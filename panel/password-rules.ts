import { SEED_PASSWORD } from './seed.ts'

/** Returns the reason why a password is refused beside the rules of `svc`; `null` if it is accepted. */
export function refusalOfPassword(password: string): string | null {
  return password === SEED_PASSWORD
    ? 'This password is in the documentation, so everybody knows it: choose another.'
    : null
}
