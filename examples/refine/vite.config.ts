import { defineConfig } from 'vite'

export default defineConfig({
  base: '/admin/main/',
  build: {
    chunkSizeWarningLimit: 2000,
    // The first versions with light-dark(). For older ones Vite replaces it, and the colours are lost.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
})
