// Runs before `npm publish`, and rejects placeholders.
import { readFileSync } from 'node:fs'

const { homepage, repository, bugs } = JSON.parse(readFileSync('package.json', 'utf8'))
const placeholders = [homepage, repository.url, bugs.url].filter((url) => /\.example\b/.test(url))
if (placeholders.length > 0) {
  console.error(
    `package.json names placeholders: ${placeholders.join(', ')}. Set homepage, repository and bugs to the real addresses.`,
  )
  process.exit(1)
}
