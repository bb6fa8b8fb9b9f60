import type { PanelAuthOptions } from '../contracts/options.ts'
import type { Settings } from './settings.ts'

/** Finds lifetimes of the option `sessions` that can never work. */
export function sessionOptionComplaints<User>(
  { sessions = {}, twoFactor }: Pick<PanelAuthOptions<User>, 'sessions' | 'twoFactor'>,
  { session: { absolute } }: Settings,
): readonly string[] {
  const { devices = false, remember, trusted } = sessions
  const complaints: string[] = []
  for (const name of ['remember', 'trusted'] as const) {
    if (sessions[name] === undefined || devices) continue
    complaints.push(
      `sessions.${name}: users must see what it keeps, and end it; give \`devices: true\`, too`,
    )
  }
  if (remember !== undefined && remember.days * 24 * 60 < absolute) {
    complaints.push(
      `sessions.remember.days: is ${remember.days}, so that a remembered session would end before others (session.absolute: ${absolute} minutes); give more days`,
    )
  }
  if (trusted !== undefined && twoFactor === undefined) {
    complaints.push(
      'sessions.trusted: replaces the code of a second factor, and none is bound; give twoFactor',
    )
  }
  return complaints
}
