import { setTimeout as pause } from 'node:timers/promises'
import type { Logger, Mailer, Tenant } from '../../contracts/host.ts'
import { createJobQueue, HIDDEN_JOBS } from '../../process/job-queue.ts'
import type { Checked } from '../boundary/checked.ts'
import { wideNetworkOf } from '../login/login-origin.ts'
import { withTimeout } from '../timeouts.ts'

/** Sends the mails of a layer after the answer, so that no answer depends on them. */
export type AccountMails = ReturnType<typeof createAccountMails>

/** The mailer and the settings of the links in mails. */
export interface AccountMailParts {
  readonly mailer: Checked<Mailer>
  readonly baseUrl: (tenant: Tenant) => string
  readonly prefix: string
  readonly panels: readonly string[]
  readonly logger: Logger
}

/** Mails are sent by so many jobs at once; more wait, up to a bound. */
const MAILS = { atOnce: 4, most: 1000 } as const

/** At most `mostOfOne` of the mails that wait are caused by one wide network. */
const OF_STRANGERS = { ...MAILS, ...HIDDEN_JOBS, mostOfOne: 50 } as const

/**
 * Creates the mails of a layer.
 *
 * @param layer Begins the events in the log.
 * @param subject Completes "a mail about" in the log.
 */
export function createAccountMails(
  { mailer, baseUrl, prefix, panels, logger }: AccountMailParts,
  layer: 'password' | 'login',
  subject: string,
) {
  const what = `a mail about ${subject}`
  const onError = (error: unknown): void =>
    logger.error({ err: error, event: `${layer}.mail_failed` }, `${what} was not sent`)
  const ofUsers = createJobQueue(what, { ...MAILS, onError })
  // A queue of its own, so that a thief who requests many links keeps no notice back.
  const ofStrangers = createJobQueue(what, { ...OF_STRANGERS, onError })
  return {
    ...createTimedMails(mailer),
    /**
     * Adds a job that sends a mail. A job that fails or finds no room is logged.
     *
     * @param cause A user who has proved to exist, or the network of a stranger.
     */
    add: (
      send: () => Promise<void>,
      cause: { readonly userId: string } | { readonly network: string },
    ): void => {
      const isAdded =
        'network' in cause ? ofStrangers.add(send, wideNetworkOf(cause.network)) : ofUsers.add(send)
      if (isAdded) return
      const fields = { event: `${layer}.mail_dropped`, ...cause }
      logger.error(fields, `${what} was not sent: too many mails wait`)
    },
    /** Returns the address of a page of a panel, from the configured address of the service. */
    pageUrl: (tenant: Tenant, panel: string, page: string) =>
      `${baseUrl(tenant)}/${prefix}/${panel}/${page}`,
    /** The panel of links that no request names. */
    firstPanel: panels[0] ?? '',
    /** Resolves once every mail is sent, has failed, or is late. Never rejects. */
    settled: async (): Promise<void> => {
      try {
        await withTimeout(
          `the mails about ${subject}`,
          Promise.all([ofUsers.settled(), ofStrangers.settled()]),
        )
      } catch (error) {
        logger.error({ err: error }, 'the service closed before every mail was sent')
      }
    },
  }
}

/** Creates the function that sends mails, and the one for jobs that send none. */
function createTimedMails(mailer: Checked<Mailer>) {
  let lastMs = 0
  return {
    /** Sends a mail. */
    send: async (mail: Parameters<Mailer['send']>[0]): Promise<void> => {
      const began = performance.now()
      try {
        await mailer.send(mail)
      } finally {
        lastMs = performance.now() - began
      }
    },
    /**
     * Waits for as long as the last mail took, if there was one. A job that sends no mail would
     * otherwise delay later mails less, and their time would tell which users exist.
     */
    waitAsForMail: async (): Promise<void> => pause(lastMs, undefined, { ref: false }),
  }
}
