import type { Awaitable, TwoFactorAuthenticator } from '../../contracts/host.ts'
import type { TwoFactorDevices } from '../../contracts/two-factor-devices.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { createKeyedQueue } from '../../process/keyed-queue.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { TwoFactorState } from '../../rules/states.ts'
import type { Checked } from '../boundary/checked.ts'
import type { User } from '../boundary/checked-users.ts'
import { mapAwaitable, withTimeout } from '../timeouts.ts'
import { createRequirementOf, type Requirement, type RequirementParts } from './requirement.ts'

/** The host's second factor, as the service uses it. */
export type CheckedAuthenticator = ReturnType<typeof createCheckedAuthenticator>

export function createCheckedAuthenticator(
  contract: Checked<TwoFactorAuthenticator<unknown>>,
  devices: Checked<TwoFactorDevices<unknown>> | null,
  parts: RequirementParts,
) {
  const queue = createKeyedQueue()
  const isEnabledFor = ({ host }: User): Awaitable<boolean> => contract.isEnabledFor(host)
  const requirementOf = createRequirementOf(contract, parts)
  return {
    isEnabledFor,
    requirementOf,
    /** Returns whether it is required now. */
    isRequiredFor: (user: User) => mapAwaitable(requirementOf(user), ({ required }) => required),
    async stateOf(user: User): Promise<BoundTwoFactorState> {
      const requirement = await requirementOf(user)
      return { state: (await isEnabledFor(user)) ? 'enabled' : 'not-enabled', ...requirement }
    },
    /**
     * Verifies a code. Calls for one user run one at a time within a node.
     *
     * @param admit Called when this call's turn comes. Resolves to the user that the code is
     *   verified for, or to `null` when the code must no longer be verified. `isAbandoned` returns
     *   true after the timeout.
     */
    verify: async (
      owner: Owner,
      code: string,
      admit: (isAbandoned: () => boolean) => Promise<User | null>,
    ): Promise<'accepted' | 'refused' | 'unchecked'> =>
      withTurnTimeout(async (isAbandoned) =>
        queue.run(ownerKey(owner), async () => {
          const user = isAbandoned() ? null : await admit(isAbandoned)
          // The caller has stopped waiting, so this call must not use up a code.
          if (user === null || isAbandoned()) return 'unchecked'
          return (await contract.verify(user.host, code)) ? 'accepted' : 'refused'
        }),
      ),
    ready: () => contract.ready?.(),
    newSecret: contract.newSecret,
    qrCode: ({ host }: User, secret: string) => contract.qrCode(host, secret),
    verifySetup: contract.verifySetup,
    enable: ({ host }: User, secret: string) => contract.enable(host, secret),
    disable: ({ host }: User) => contract.disable(host),
    /** Removes the factor of a user who may no longer exist; `null` if the host cannot. */
    erase: contract.erase ?? null,
    /** Counts the recovery codes of a user who has enabled it; `null` if the host does not. */
    recoveryCodesLeft: ({ host }: User) => contract.recoveryCodesLeft?.(host) ?? null,
    checkReadable: ({ host }: User) => contract.checkReadable?.(host),
    /** Lists the devices of a user; `null` if the host keeps one for each. */
    listDevices: ({ host }: User) => devices?.list(host) ?? null,
  }
}

type BoundTwoFactorState = Requirement &
  TwoFactorState & { readonly state: 'enabled' | 'not-enabled' }

/** Runs a step under a timeout that also covers the wait for its turn. */
async function withTurnTimeout<T>(run: (isAbandoned: () => boolean) => Promise<T>): Promise<T> {
  let abandoned = false
  try {
    return await withTimeout(
      "a turn of the second factor's verify",
      run(() => abandoned),
    )
  } finally {
    abandoned = true
  }
}
