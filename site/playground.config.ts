import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { LIGHT_DARK_BROWSERS, room } from '../web/spa/vite.config.ts'

export default defineConfig({
  ...room,
  root: fileURLToPath(new URL('../web/playground', import.meta.url)),
  // Any folder can serve it.
  base: './',
  build: {
    outDir: fileURLToPath(new URL('.pages/public/parts', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: LIGHT_DARK_BROWSERS,
  },
})
