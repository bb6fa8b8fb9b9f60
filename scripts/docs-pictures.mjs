// Makes the pictures and the recording of the documents and of the site, from the real panel.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { fakeClock } from '@svc/auth/testing'
import { freePort } from './free-port.mjs'
import * as story from './pictures/story.mjs'
import { ensureProgram } from './programs.mjs'
import { temporaryFolder } from './temporary-folder.mjs'

const HELP = `Usage: npm run pictures:docs

Starts the reference panel and takes docs/pictures/*-light.webp and *-dark.webp, records docs/pictures/panel.webp, and draws
site/public/social.png from site/social.svg. Needs Chromium, and cwebp and img2webp of Debian's package webp; they are
installed where no password is needed.
`
const PICTURES = 'docs/pictures'
const SIZE = { width: 800, height: 560 }
const ADA = 'ada@example.com'
const ZOE = 'zoe@example.com'

const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}

const folder = temporaryFolder('pictures')
const clock = fakeClock()
const origin = `http://localhost:${await freePort()}`
const { startPanel } = await import(pathToFileURL('build/panel/panel.js').href)
const panel = await startPanel(settingsOf(origin), { clock })
const browser = await chromium.launch({ executablePath: ensureProgram('chromium') })
try {
  await addPeople()
  for (const scheme of ['light', 'dark']) await photograph(scheme)
  await record()
  await drawSocialPicture()
} finally {
  await browser.close()
  await panel.stop()
}

function settingsOf(appUrl) {
  return {
    port: Number(new URL(appUrl).port),
    host: null,
    dataFolder: folder,
    databaseUrl: null,
    redisUrl: null,
    appUrl,
    appKeys: ['a key of pictures: 0123456789 abcdef'],
    trustedProxies: [],
    drainSeconds: 0,
    metricsPort: null,
    unsafeHttp: false,
    smtpUrl: null,
    mailFrom: 'panel@localhost',
  }
}

/** Adds the user of the recording, and the notifications of both. */
async function addPeople() {
  const ada = await panel.users.findByEmail(ADA)
  const { passwordHash } = ada
  const zoe = await panel.users.create({ email: ZOE, name: 'Zoe Washburne', passwordHash })
  for (const user of [ada, zoe])
    await story.sendOlderNotifications({ auth: panel.auth, clock }, user)
  await story.sendNewestNotification(panel.auth, ada)
}

async function openPage(options) {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'en',
    viewport: SIZE,
    reducedMotion: 'reduce',
    ...options,
  })
  await context.clock.setFixedTime(clock.now())
  return context.newPage()
}

/** Takes the pictures of one colour scheme. */
async function photograph(colorScheme) {
  const page = await openPage({ colorScheme, deviceScaleFactor: 2 })
  const take = async (name) => {
    const png = join(folder, `${name}.png`)
    await page.screenshot({ path: png, animations: 'disabled', caret: 'hide' })
    const webp = `${PICTURES}/${name}-${colorScheme}.webp`
    run('cwebp', '-quiet', '-q', '82', png, '-o', webp)
  }
  await story.openLogin(page)
  await take('login')
  await story.logIn(page, ADA)
  await story.openBell(page)
  await take('bell')
  await story.openSetUp(page)
  await take('set-up')
  await page.context().close()
}

/** Records a login with a code and an arriving notification. */
async function record() {
  const before = await openPage()
  await story.logIn(before, ZOE)
  const code = await story.protect({ page: before, clock })
  await before.context().close()

  const page = await openPage({ colorScheme: 'light' })
  const frames = []
  const frame = async (milliseconds) => {
    const path = join(folder, `frame-${frames.length}.png`)
    await page.screenshot({ path, animations: 'disabled' })
    frames.push('-d', String(milliseconds), path)
  }
  await story.openLogin(page)
  await frame(900)
  await story.fillLogin(page, ZOE, () => frame(140))
  await frame(500)
  await page.locator('[data-svc-part=submit]').click()
  const field = page.locator('[data-svc-part=code] [name=code]')
  await field.waitFor()
  await frame(900)
  await story.typeIn(field, code(), () => frame(200), 2)
  await frame(500)
  await page.locator('[data-svc-part=submit]').click()
  const bell = page.locator('[data-svc-part=bell-button]')
  await bell.waitFor()
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await frame(1100)
  const user = await panel.users.findByEmail(ZOE)
  await story.sendNewestNotification(panel.auth, user)
  await page.locator('[data-svc-part=bell-button][aria-label*="unread"]').waitFor()
  await frame(1300)
  await story.openBell(page)
  await frame(3600)
  run(
    'img2webp',
    '-loop',
    '0',
    '-lossy',
    '-q',
    '78',
    '-m',
    '6',
    ...frames,
    '-o',
    `${PICTURES}/panel.webp`,
  )
  await page.context().close()
}

async function drawSocialPicture() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  await page.goto(pathToFileURL('site/social.svg').href)
  writeFileSync('site/public/social.png', await page.screenshot())
}

function run(program, ...words) {
  execFileSync(ensureProgram(program), words, { stdio: ['ignore', 'ignore', 'inherit'] })
}
