import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { bundledLicenses } from '../../scripts/bundled-licenses.mjs'
import { retryableImports } from './retryable-imports.ts'

/** Settings that both builds share. */
export const room = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: {
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      react: 'preact/compat',
    },
  },
  oxc: { jsx: { runtime: 'automatic' } },
} as const

/** The first browsers with `light-dark()`: compiled away, it would not follow the page's theme. */
export const LIGHT_DARK_BROWSERS = ['chrome123', 'firefox120', 'safari17.5']

/** Leaves comments and indentation out of the document, which every visit loads anew. */
const smallPage: Plugin = {
  name: 'svc-small-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replaceAll(/<!--.*?-->/gs, '').replaceAll(/\s*\n\s*/g, '\n'),
  },
}

export default defineConfig({
  ...room,
  plugins: [retryableImports(), smallPage, bundledLicenses()],
  // Only in index.html: the server replaces it by the address of the panel.
  base: '/__SVC_BASE_PATH__/',
  experimental: {
    // Files refer to each other by relative addresses, so that any path can serve them.
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    outDir: fileURLToPath(new URL('../../dist/spa', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Without it, `:dir()` becomes a list of languages, which ignores `dir="auto"`.
    cssTarget: LIGHT_DARK_BROWSERS,
    // No inlined assets: the page's Content-Security-Policy forbids them.
    assetsInlineLimit: 0,
    // The first screen needs only one file; the others load on demand.
    modulePreload: false,
    // One file at first: a second one would compress worse, and be found later.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
})
