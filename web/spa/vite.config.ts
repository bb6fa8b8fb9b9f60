import { fileURLToPath } from 'node:url'
import { defineConfig, type CSSOptions, type Plugin } from 'vite'
import { bundledLicenses } from '../../scripts/bundled-licenses.mjs'
import { retryableImports } from './retryable-imports.ts'

const THEMED = /light-dark\(((?:[^(),]|\([^)]*\))+),(?:[^()]|\([^)]*\))*\)/g

const isThemed = (value: string) => value.includes('light-dark(')

/** Repeats each rule with `light-dark()` in the colours of the light theme for older browsers. */
const css: CSSOptions = {
  postcss: {
    plugins: [
      {
        postcssPlugin: 'svc-light-colors',
        OnceExit(root, { AtRule }) {
          root.walkRules((rule) => {
            if (!rule.nodes.some((node) => node.type === 'decl' && isThemed(node.value))) return
            const light = rule.clone()
            light.walkDecls((each) => {
              if (isThemed(each.value)) each.value = each.value.replaceAll(THEMED, '$1')
              else each.remove()
            })
            const params = 'not (color: light-dark(red, red))'
            rule.after(new AtRule({ name: 'supports', params, nodes: [light] }))
          })
        },
      },
    ],
  },
}

/** Settings that both builds share. */
export const room = {
  css,
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
