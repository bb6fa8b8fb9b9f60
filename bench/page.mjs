import { chromium } from 'playwright-core'
import { ensureProgram } from '../scripts/programs.mjs'
import { start, reply } from './processes.mjs'
import { median, printVerdicts } from './report.mjs'

const SLOWER = [1, 4]
const TARGET_MS = 1000

/**
 * Measures the time until a login field accepts input in a browser with an empty cache, and until
 * an empty page has loaded.
 */
export async function measurePage({ folder, rounds, say }) {
  const server = start('servers/page.mjs', 0, folder)
  const { port } = await reply(server)
  const browser = await chromium.launch({ executablePath: ensureProgram('chromium') })
  const open = async (path, slower) => timeOf(browser, `http://localhost:${port}${path}`, slower)
  await open('/admin/main', 1)
  const results = SLOWER.map((slower) => ({ slower, rounds: [] }))
  for (let round = 1; round <= rounds; round += 1) {
    for (const { slower, rounds } of results) {
      rounds.push({ empty: await open('/empty', slower), login: await open('/admin/main', slower) })
      const { empty, login } = rounds.at(-1)
      say(
        `round ${round}  CPU ${slower} × slower: ${login.toFixed(0)} ms, empty ${empty.toFixed(0)} ms`,
      )
    }
  }
  await browser.close()
  server.disconnect()
  return results
}

async function timeOf(browser, url, slower) {
  const context = await browser.newContext({ locale: 'en' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await page.addInitScript(noteReady)
  await page.goto(url)
  const ready = await page.waitForFunction(() => globalThis.readyAfterMs)
  const milliseconds = await ready.jsonValue()
  if (!url.endsWith('/empty')) await expectInput(page)
  await context.close()
  return milliseconds
}

/**
 * Notes the time when the page is painted and idle: with a focused field, or loaded without one.
 */
function noteReady() {
  const note = () =>
    requestAnimationFrame(() => setTimeout(() => (globalThis.readyAfterMs ??= performance.now())))
  document.addEventListener('focusin', ({ target }) => {
    if (target.localName === 'input') note()
  })
  addEventListener('load', () => {
    if (location.pathname === '/empty') note()
  })
}

async function expectInput(page) {
  await page.keyboard.type('a')
  const typed = await page.locator('input').first().inputValue()
  if (typed !== 'a') throw new Error(`the login field took ${JSON.stringify(typed)} for an "a"`)
}

/** Prints the results as Markdown. @returns `true` if the target is met. */
export function reportPage(results) {
  console.log(
    '\n| a browser’s first visit | login ms | empty page ms | ratio |\n|---|---:|---:|---:|',
  )
  for (const { slower, rounds } of results) {
    const of = (value) => median(rounds.map(value))
    const cells = [
      of(({ login }) => login).toFixed(0),
      of(({ empty }) => empty).toFixed(0),
      of(({ login, empty }) => login / empty).toFixed(1),
    ]
    console.log(`| CPU ${slower} × slower | ${cells.join(' | ')} |`)
  }
  const slowest = median(results.at(-1).rounds.map(({ login }) => login))
  const met = slowest < TARGET_MS
  const is = `a login field that takes input after ${slowest.toFixed(0)} ms with a CPU ${SLOWER.at(-1)} × slower (below ${TARGET_MS})`
  console.log('')
  return printVerdicts([{ is, met }])
}
