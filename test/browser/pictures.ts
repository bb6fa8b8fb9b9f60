import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, it } from 'vitest'
import { SCHEMES, STILL } from './looks.ts'
import { pageStates } from './page-states.ts'
import { spa, startRig } from './rig.ts'
import { states } from './states.ts'

/**
 * Makes pictures of every screen, for people to look at: nothing is compared. `npm run pictures`
 * runs it; `npm run pictures -- -t people` makes those of one screen.
 */

const FOLDER = fileURLToPath(new URL('../../build/pictures/', import.meta.url))
const SIZES = [
  { width: 375, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
] as const
const ON_ITS_SIDE = { width: 740, height: 360 }
/** A browser that shows 1280 × 800 at 200 % has half of it in CSS pixels. */
const ZOOMED = { width: 640, height: 400 }

interface Look {
  readonly locale: 'en' | 'ar'
  readonly looks: readonly {
    readonly size: Readonly<Record<'width' | 'height', number>>
    readonly scheme: 'light' | 'dark'
  }[]
}

const everywhere = SIZES.flatMap((size) => SCHEMES.map((scheme) => ({ size, scheme })))
const LOOKS: readonly Look[] = [
  {
    locale: 'en',
    looks: [
      ...everywhere,
      { size: ON_ITS_SIDE, scheme: 'light' },
      { size: ZOOMED, scheme: 'dark' },
    ],
  },
  {
    locale: 'ar',
    looks: [
      { size: SIZES[0], scheme: 'dark' },
      { size: SIZES[2], scheme: 'light' },
    ],
  },
]

const rig = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })
const taken = new Map<string, string[]>()
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })

afterAll(() => writeFileSync(join(FOLDER, 'index.html'), indexOf(taken)))

it.each([...pageStates, ...states])('pictures of $name', async ({ name, reach }) => {
  const files: string[] = []
  for (const { locale, looks } of LOOKS) {
    const { page } = await rig.visit({ ...STILL, locale, tolerated: /./ })
    await reach(page, rig)
    for (const { size, scheme } of looks) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme: scheme })
      // The header is measured for the size in the frame after the next.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      )
      const file = `${name}-${locale}-${size.width}-${scheme}.png`
      await page.screenshot({ path: join(FOLDER, file), animations: 'disabled' })
      files.push(file)
    }
    // It holds requests and refusals of its own, which the next language must not meet.
    await page.close()
    await rig.advance({ hours: 25 })
  }
  taken.set(name, files)
})

function indexOf(pictures: ReadonlyMap<string, readonly string[]>): string {
  const sections = [...pictures].map(([name, files]) => {
    const images = files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}"></a>`)
    return `<section id="${name}"><h2>${name}</h2><div>${images.join('')}</div></section>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Pictures of the panel</title>
<style>
body { font-family: system-ui; background: #888 }
div { display: flex; flex-wrap: wrap; align-items: start; gap: 12px }
img { block-size: 300px }
</style>
${sections.join('\n')}
`
}
