import type { Command, OptionValues } from 'commander'
import { checkAddress } from './address-checks.ts'
import { failed, ok, type Check } from '../output/check.ts'
import { checkConfiguration } from './configuration-checks.ts'
import { checkMail } from './mail-check.ts'
import { serviceOf, withConfig, type OpenService } from '../command/open-service.ts'
import { addCommand, stringOption, UsageError, type CommandResult } from '../command/result.ts'
import { messageOf } from '../output/output.ts'
import { storeChecks } from './store-checks.ts'
import { userChecks } from './user-checks.ts'

const AFTER = `
Prints one line for each check: ok, warning or failed, with the remedy. The exit code is 1 if a
check has failed. Creates and migrates no tables of the service. Opens the configuration with the
command name "doctor".`

/** Adds the command that checks the configuration, the stores, the users and an address. */
export function addDoctor(program: Command): void {
  addCommand(
    program,
    'doctor',
    'Checks the configuration, the stores, the users and a running address.',
    diagnose,
  )
    .option('--url <url>', 'check the running service at this address, as a browser reaches it')
    .option('--mail <address>', 'send a test mail to this address')
    .option('--origin <origin>', 'the origin of the front end (default: that of --url)')
    .option('--email <email>', 'read this user (default: the first one, where users can be listed)')
    .option('--tenant <tenant>', 'the tenant whose users are read (default: none)')
    .addHelpText('after', AFTER)
}

interface Target {
  readonly url: URL
  readonly origin: string
}

async function diagnose(options: OptionValues): Promise<CommandResult> {
  const target = targetOf(options)
  const checks = await checksOf(options, target)
  return {
    lines: checks.map(({ name, status, text }) => ({ status, text: `${name}: ${text}` })),
    json: { checks: checks.map(({ name, status, text }) => ({ name, status, text })) },
    hasFailed: checks.some(({ status }) => status === 'failed'),
  }
}

async function checksOf(options: OptionValues, target: Target | null): Promise<readonly Check[]> {
  const state: { inspected: readonly Check[]; address: readonly Check[] | null } = {
    inspected: [],
    address: null,
  }
  try {
    await withConfig('doctor', options, async (config) => {
      const service = serviceOf(config)
      const mail = await mailOf(options, service)
      state.inspected = [
        ok('configuration', 'is valid'),
        ...checkConfiguration(service, target?.origin ?? null),
        ...(await storeChecks(service)),
        ...(await userChecks(service, options)),
        ...mail,
      ]
      state.address = target && (await checkAddress(target.url, target.origin, service))
    })
  } catch (error) {
    if (error instanceof UsageError) throw error
    state.inspected = [...state.inspected, ...failedLines(error)]
  }
  // The running service is checked even where its configuration cannot be opened here.
  const address = state.address ?? (target && (await checkAddress(target.url, target.origin, null)))
  return [...state.inspected, ...(address ?? [])]
}

async function mailOf(options: OptionValues, { parts }: OpenService): Promise<readonly Check[]> {
  const to = stringOption(options, 'mail')
  if (to === null) return []
  if (!to.includes('@')) throw new UsageError('--mail: give an address such as you@example.com')
  return [await checkMail(parts.host.mailer, to)]
}

/** Returns one check for each line: a refused configuration names every wrong option. */
function failedLines(error: unknown): readonly Check[] {
  return messageOf(error)
    .split('\n')
    .map((line) => failed('configuration', line))
}

function targetOf(options: OptionValues): Target | null {
  const url = stringOption(options, 'url')
  const origin = stringOption(options, 'origin')
  if (url === null) {
    if (origin === null) return null
    throw new UsageError('--origin: needs --url, the address of the running service')
  }
  const address = httpUrl('--url', url)
  return {
    url: address,
    origin: origin === null ? address.origin : httpUrl('--origin', origin).origin,
  }
}

function httpUrl(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new UsageError(`${option}: give an address such as https://panel.example.com`)
}
