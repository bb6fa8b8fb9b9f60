import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { room } from './vite.config.ts'

const entry = fileURLToPath(new URL('published.ts', import.meta.url))

export default defineConfig({
  ...room,
  build: {
    outDir: fileURLToPath(new URL('../dist/mount', import.meta.url)),
    // The declarations are there already.
    emptyOutDir: false,
    target: 'es2022',
    // The first that know light-dark(), which follows the page only where it is left as it is.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    lib: { entry, formats: ['es'], fileName: () => 'mount.js', cssFileName: 'style' },
    // One file, so that it can be copied.
    rolldownOptions: { output: { codeSplitting: false, minify: true } },
  },
})
