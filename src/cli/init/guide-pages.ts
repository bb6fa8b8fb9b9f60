import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Application } from './application.ts'
import { frameworks, type Framework } from './frameworks.ts'

/** Packages that run behind or beside a server, and their pages. */
const PAGES: Readonly<Record<string, string>> = {
  adminjs: 'frameworks/adminjs',
  payload: 'frameworks/payload',
  'react-admin': 'frameworks/react-admin',
  '@refinedev/core': 'frameworks/refine',
  '@angular/core': 'frameworks/angular',
}

/** Returns the pages of the documentation for an application. */
export function pagesFor({ framework, dependencies, hasVite }: Application): readonly string[] {
  const { page = framework }: Framework = frameworks[framework]
  const others = Object.keys(PAGES).filter((name) => dependencies.has(name))
  return [
    `frameworks/${page}`,
    ...others.map((name) => PAGES[name] ?? ''),
    ...(hasVite ? ['vite'] : []),
  ]
}

/** Returns the path of a page of the documentation. */
export function pathOfPage(page: string): string {
  const file = `docs/${page}.md`
  const installed = join('node_modules/@svc/auth', file)
  // The command is dist/server/svc.js.
  return existsSync(installed)
    ? installed
    : join(dirname(fileURLToPath(import.meta.url)), '../..', file)
}
