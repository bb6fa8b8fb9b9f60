import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { bundledLicenses } from '../../scripts/bundled-licenses.mjs'
import { LIGHT_DARK_BROWSERS, room } from './vite.config.ts'

const entry = fileURLToPath(new URL('published.ts', import.meta.url))

export default defineConfig({
  ...room,
  plugins: [bundledLicenses()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    // The other entries are there, too.
    emptyOutDir: false,
    target: 'es2022',
    cssTarget: LIGHT_DARK_BROWSERS,
    lib: { entry, formats: ['es'], fileName: () => 'mount.js', cssFileName: 'style' },
    // One file, so that hosts can copy it.
    rolldownOptions: { output: { codeSplitting: false, minify: true } },
  },
})
