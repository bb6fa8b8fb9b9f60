import { existsSync } from 'node:fs'

/** Port of Vite's server during development. */
export const VITE_PORT = 5173

/**
 * Returns whether Vite serves a front end in this folder during development. A server of its own
 * that renders the pages by Vite starts it by another command.
 */
export function hasViteFrontEnd(dependencies: ReadonlySet<string>, command: string): boolean {
  return dependencies.has('vite') && existsSync('index.html') && /\bvite\b/.test(command)
}

/** Lets Vite pass requests on to the server. For a target that is a text, it replaces the host. */
export const viteProxy: readonly string[] = [
  '',
  '// vite.config, above defineConfig',
  "const api = { target: 'http://localhost:3000' } // your server",
  '// in it, beside the plugins',
  '// without /admin where your front end renders the panel itself',
  "server: { proxy: { '/svc': api, '/admin': api, '/api': api } },",
]

/** The address of the login during development. */
export const viteLogin = `http://localhost:${VITE_PORT}/admin/main, with Vite running beside it`
