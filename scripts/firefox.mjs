import { pathToFileURL } from 'node:url'
import { ensureBrowser } from './browser.mjs'

/**
 * Finds Firefox: FIREFOX_PATH first; installs the ESR on Debian as root.
 *
 * @throws as `ensureBrowser`
 */
export function ensureFirefox() {
  return ensureBrowser({
    name: 'Firefox',
    variable: 'FIREFOX_PATH',
    packages: ['firefox-esr', 'fonts-dejavu-core'],
    places: [
      '/usr/bin/firefox-esr',
      '/usr/bin/firefox',
      '/Applications/Firefox.app/Contents/MacOS/firefox',
    ],
  })
}

const isRunDirectly = process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href
if (isRunDirectly) console.log(ensureFirefox())
