import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/admin/main/',
  plugins: [vue()],
  build: {
    // The first versions with light-dark(). For older ones Vite replaces it, and the colours are lost.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
})
