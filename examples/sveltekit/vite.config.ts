import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    sveltekit({
      adapter: adapter(),
      // SvelteKit refuses forms whose `Origin` is another; it takes https for granted otherwise.
      paths: { origin: process.env['APP_URL'] ?? 'http://localhost:3000' },
    }),
  ],
})
