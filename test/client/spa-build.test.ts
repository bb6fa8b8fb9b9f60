import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

const folder = new URL('../../dist/spa/', import.meta.url)
const index = readFileSync(new URL('index.html', folder), 'utf8')
const assets = readdirSync(new URL('assets/', folder))
const scripts = assets.filter((name) => name.endsWith('.js'))
const read = (name: string) => readFileSync(new URL(`assets/${name}`, folder), 'utf8')

const entryBytesLimit = 45_000

describe('the built panel', () => {
  it('has a place for everything that the server fills in', () => {
    for (const place of ['LANG', 'DIR', 'BASE', 'NAME', 'HELP', 'BASE_PATH']) {
      expect(index).toContain(`__SVC_${place}__`)
    }
  })

  it('has nothing inline, so that a strict policy holds', () => {
    expect(index).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/)
    expect(index).not.toMatch(/<script(?![^>]*\ssrc=)/)
    for (const name of scripts) expect(read(name)).not.toMatch(/\.innerHTML\s*=\s*["'`]/)
  })

  it('refers to files that are there, by the base that the server puts in', () => {
    const files = [...index.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url)
    expect(files).toHaveLength(3)
    for (const url of files) {
      expect(url).toMatch(/^\/__SVC_BASE_PATH__\/assets\/[\w-]+\.\w+$/)
      expect(existsSync(new URL(url.replace('/__SVC_BASE_PATH__/', ''), folder))).toBe(true)
    }
  })

  it('has the base in no other file, so that these are served as they are', () => {
    for (const name of assets) expect(read(name)).not.toContain('__SVC_')
  })

  it('has every language but English in a file of its own', () => {
    expect(scripts.filter((name) => read(name).includes('Se connecter'))).toHaveLength(1)
    const entry = scripts.find((name) => read(name).includes('Email address'))
    expect(read(entry ?? '')).not.toContain('Se connecter')
  })

  it('stays small and carries no schemas', () => {
    const entry = scripts.find((name) => index.includes(name))
    expect(gzipSync(read(entry ?? '')).length).toBeLessThan(entryBytesLimit)
    for (const name of scripts) expect(read(name)).not.toContain('ZodError')
  })
})
