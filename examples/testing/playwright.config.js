import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: '*.playwright.test.js',
  use: {
    // A Chromium of your own; without one, `npx playwright install` fetches Playwright's.
    launchOptions: process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {},
  },
})
