import { verify } from '@node-rs/argon2'
import { isLoopback } from '@svc/auth'
import { people, seed, SEED_PASSWORD } from './seed.ts'
import type { PanelSettings } from './environment.ts'
import type { Users } from './users.ts'

/** The panel's users at the start. `made`: this node has just created the example users. */
export type PeopleState = 'made' | 'there' | 'nobody'

/** Returns `true` if an address leads to this machine only. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}

/** Returns `true` if, by its settings, only this machine can reach the panel. */
function isForThisMachine({ appUrl, host }: Pick<PanelSettings, 'appUrl' | 'host'>): boolean {
  return isLoopbackUrl(appUrl) && (host === null || isLoopback(host))
}

/**
 * Creates example users if only this machine can reach the panel.
 *
 * @throws {Error} Others can reach it, and an example user still has the published password.
 */
export async function preparePeople(
  users: Users,
  settings: Pick<PanelSettings, 'appUrl' | 'host'>,
): Promise<PeopleState> {
  if (isForThisMachine(settings)) return (await seed(users)) ? 'made' : 'there'
  const known = await withKnownPassword(users)
  if (known.length > 0) throw new Error(tellKnownPasswords(known, settings))
  return (await users.list()).length === 0 ? 'nobody' : 'there'
}

/** Returns the emails of example users who still have their first password. */
async function withKnownPassword(users: Users): Promise<readonly string[]> {
  const known: string[] = []
  for (const { email } of people) {
    const person = await users.findByEmail(email)
    if (person !== null && (await isKnown(person.passwordHash ?? ''))) known.push(email)
  }
  return known
}

/** Checks for the published password. A malformed hash matches no password. */
async function isKnown(hash: string): Promise<boolean> {
  return verify(hash, SEED_PASSWORD).catch(() => false)
}

function tellKnownPasswords(
  emails: readonly string[],
  { appUrl, host }: Pick<PanelSettings, 'appUrl' | 'host'>,
): string {
  const reached = host === null ? appUrl : `${appUrl}, on ${host}`
  return `The panel can be reached by others (${reached}), and these people still have the password of the documentation: ${emails.join(', ')}. For each of them run  npm run user -- password --email EMAIL  or  npm run user -- remove --email EMAIL`
}
