import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** What every build of this room has in common. */
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

export default defineConfig({
  ...room,
  // Stands in index.html only: the server puts the address of the panel there.
  base: '/__SVC_BASE_PATH__/',
  experimental: {
    // What files say of each other is relative, so that they can be served as they are.
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    outDir: fileURLToPath(new URL('../dist/spa', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Every file is a file: the policy of the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What the first screen needs is asked for at once; what is loaded later, when it is wanted.
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []),
    },
  },
})
