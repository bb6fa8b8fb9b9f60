import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as events from '../../scripts/docs/events.mjs'
import * as performance from '../../scripts/docs/performance.mjs'
import { sections } from '../../site/navigation.mjs'
import playground from '../../site/playground.config.ts'

describe('the site of the documents', () => {
  it('has a place for every page, once', () => {
    const named = sections.flatMap(({ pages }) => pages).filter((page) => !isFolder(page))
    const folders = sections.flatMap(({ folders: all = {} }) => Object.values(all))
    const placed = [...named, ...folders.flatMap(pagesBelow)]
    const written = ['docs', 'docs/decisions', 'docs/frameworks', 'docs/moving'].flatMap(pagesBelow)
    const others = ['README', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY', 'playground', 'tokens']
    expect(placed.toSorted()).toEqual([...written, ...others].toSorted())
  })

  it('imports only files that exist, from the folder that its pages are copied to', () => {
    const imported = pagesBelow('site').flatMap((page) =>
      [...scriptOf(page).matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => path),
    )
    expect(imported).not.toEqual([])
    expect(imported.filter((path) => !existsSync(join('site/.pages', path)))).toEqual([])
  })

  it('serves the playground that its configuration builds', () => {
    expect(playground.build?.outDir).toBe(resolve('site/.pages/public/parts'))
  })

  it('has the chart of what was measured last', () => {
    expect(readFileSync(performance.chartPath, 'utf8')).toBe(performance.chart())
  })

  it('says what each event reports', () => {
    expect(events.parts()['events']).not.toMatch(/\| +\| `/)
  })
})

/** Returns the code that a page runs; its other imports are examples. */
function scriptOf(page: string): string {
  return /<script setup>.*<\/script>/s.exec(readFileSync(`${page}.md`, 'utf8'))?.[0] ?? ''
}

/** Returns whether a name in the navigation is only that of a folder. */
function isFolder(name: string): boolean {
  return name.startsWith('docs/') && !pagesBelow('docs').includes(name)
}

function pagesBelow(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return names.map((name) => `${folder}/${name.replace(/\.md$/, '')}`)
}
