import { accessSync, constants } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { canInstall, install } from './debian.mjs'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Finds an installed Chromium: CHROMIUM_PATH first, then the usual places; null when there is none. */
export async function findChromium() {
  const asked = process.env.CHROMIUM_PATH
  if (asked !== undefined && asked !== '') {
    if (!isExecutable(asked)) {
      throw new Error(`CHROMIUM_PATH is ${asked}, which is not a program that can be run.`)
    }
    return asked
  }
  return places.find(isExecutable) ?? null
}

/** Finds Chromium, or installs it where that is possible without asking (root on Debian); throws otherwise. */
export async function ensureChromium() {
  const found = await findChromium()
  if (found !== null) return found
  if (!canInstall()) throw new Error(explanation('No Chromium was found.'))
  tryToInstall()
  const installed = await findChromium()
  if (installed === null)
    throw new Error(explanation('Chromium was installed but cannot be found.'))
  return installed
}

function tryToInstall() {
  try {
    install('chromium', 'fonts-dejavu-core')
  } catch (cause) {
    throw new Error(explanation('Installing Chromium failed.'), { cause })
  }
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function explanation(problem) {
  return [
    `${problem} The browser tests drive a real one and are never skipped.`,
    'Either install it (Debian, Ubuntu: sudo apt-get install chromium),',
    'or set CHROMIUM_PATH to the program of an installed Chromium or Chrome.',
  ].join('\n')
}

const isRunDirectly = process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href
if (isRunDirectly) console.log(await ensureChromium())
