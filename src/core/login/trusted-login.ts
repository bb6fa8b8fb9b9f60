import type { User } from '../boundary/checked-users.ts'
import type { LoginSource } from './account-ceiling.ts'
import type { Authenticated, LoginParts } from './login-parts.ts'

/** Loads what services without trusted devices never need. */
const loadDevices = async () => import('./trusted-devices.ts')

/** Returns whether the browser of a login is a trusted device of the user. */
export async function isTrustedLogin(
  { trustedDevices, users }: LoginParts,
  { tenant, trustedDeviceId }: LoginSource,
  user: User,
): Promise<boolean> {
  if (trustedDevices === null || trustedDeviceId === null) return false
  const owner = { tenant, userId: user.id }
  const credential = users.credential(user)
  const { isTrusted } = await loadDevices()
  return isTrusted(trustedDevices, trustedDeviceId, { owner, credential })
}

/** A login with a code, and whether its user wants no code to be asked for in this browser. */
export interface TrustRequest extends LoginSource {
  readonly trustDevice: boolean
}

/**
 * Opens the session of a login with a code, and trusts its browser if the user wants it.
 *
 * The row exists before `open` uses up the pending login. Whatever ends the logins of the user ends
 * the pending logins first, so it either refuses this login or also ends the row.
 *
 * @param open Calls `endReplaced` once the login can only fail by an outage: the new cookie takes
 *   the place of that of the device of before.
 */
export async function openTrusting<Objection>(
  { trustedDevices, events }: LoginParts,
  request: TrustRequest,
  { user, stamp }: { readonly user: User; readonly stamp: string },
  open: (
    endReplaced: () => Promise<void>,
  ) => Promise<Authenticated | { readonly objection: Objection }>,
): Promise<Authenticated | { readonly objection: Objection }> {
  if (!request.trustDevice || trustedDevices === null) return open(async () => undefined)
  const { trust, trustedSeconds, endTrustedOf } = await loadDevices()
  const { tenant, network, userAgent, trustedDeviceId: replaced } = request
  const owner = { tenant, userId: user.id }
  const id = await trust(trustedDevices, { owner, stamp, network, userAgent })
  let isOpen = false
  try {
    const opened = await open(async () => {
      if (replaced !== null) await endTrustedOf(trustedDevices, replaced)
    })
    if ('objection' in opened) return opened
    isOpen = true
    events.emit('device.trusted', { ...owner, network }, request)
    return { ...opened, trustedDevice: { id, cookieSeconds: trustedSeconds(trustedDevices) } }
  } finally {
    if (!isOpen) await endTrustedOf(trustedDevices, id)
  }
}
