import { pathToFileURL } from 'node:url'
import { ensureBrowser } from './browser.mjs'

/**
 * Finds Chromium or Chrome: CHROMIUM_PATH first; installs it on Debian as root.
 *
 * @throws as `ensureBrowser`
 */
export function ensureChromium() {
  return ensureBrowser({
    name: 'Chromium',
    variable: 'CHROMIUM_PATH',
    packages: ['chromium', 'fonts-dejavu-core'],
    places: [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/usr/bin/google-chrome-stable',
      '/opt/google/chrome/chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
  })
}

const isRunDirectly = process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href
if (isRunDirectly) console.log(ensureChromium())
