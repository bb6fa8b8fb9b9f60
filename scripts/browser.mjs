import { canInstall, install } from './debian.mjs'
import { isExecutable } from './executable.mjs'

/**
 * Finds an installed browser: the environment's first, then the usual places. Installs a missing
 * one if no password is needed (root on Debian).
 *
 * @throws {Error} It is missing and cannot be installed; the message says what to do.
 */
export function ensureBrowser(browser) {
  const found = findBrowser(browser)
  if (found !== null) return found
  const { name } = browser
  if (!canInstall()) throw new Error(explanation(`No ${name} was found.`, browser))
  tryToInstall(browser)
  const installed = findBrowser(browser)
  if (installed === null)
    throw new Error(explanation(`${name} was installed but cannot be found.`, browser))
  return installed
}

function findBrowser({ variable, places }) {
  const asked = process.env[variable]
  if (asked === undefined || asked === '') return places.find(isExecutable) ?? null
  if (isExecutable(asked)) return asked
  throw new Error(`${variable} is ${asked}, which is not a program that can be run.`)
}

function tryToInstall(browser) {
  try {
    install(...browser.packages)
  } catch (cause) {
    throw new Error(explanation(`Installing ${browser.name} failed.`, browser), { cause })
  }
}

function explanation(problem, { name, variable, packages }) {
  return [
    `${problem} The tests of pages drive a real one and are never skipped.`,
    `Either install it (Debian, Ubuntu: sudo apt-get install ${packages[0]}),`,
    `or set ${variable} to the program of an installed ${name}.`,
  ].join('\n')
}
