import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { retryableImports } from './retryable-imports.ts'

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
  plugins: [retryableImports()],
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
    // What the first screen needs is one file; the others are loaded when they are needed.
    modulePreload: false,
  },
})
