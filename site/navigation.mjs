// The order of the pages. A link leads to a Markdown file, without its extension.

/** @typedef {{ text: string, pages: readonly string[], folders?: Readonly<Record<string, string>> }} Section */

/** @type {readonly Section[]} */
export const sections = [
  {
    text: 'Start',
    pages: ['README', 'docs/tutorial', 'playground', 'docs/why', 'docs/questions'],
  },
  {
    text: 'Build',
    pages: [
      'docs/frameworks',
      'docs/browser',
      'docs/pages',
      'docs/styling',
      'tokens',
      'docs/vite',
      'docs/testing',
    ],
    folders: { 'docs/frameworks': 'docs/frameworks' },
  },
  {
    text: 'Accounts',
    pages: [
      'docs/users',
      'docs/passwords',
      'docs/two-factor',
      'docs/sessions',
      'docs/confirmation',
      'docs/single-sign-on',
      'docs/impersonation',
      'docs/activity',
      'docs/password-hashes',
    ],
  },
  {
    text: 'Run',
    pages: [
      'docs/deployment',
      'docs/scaling',
      'docs/runbook',
      'docs/sqlite',
      'docs/postgresql',
      'docs/mysql',
      'docs/redis',
      'docs/metrics',
    ],
  },
  {
    text: 'Move',
    pages: ['docs/moving', 'docs/coming-from-laravel', 'docs/coming-from-better-auth'],
    folders: { 'docs/moving': 'docs/moving' },
  },
  {
    text: 'Reference',
    pages: [
      'docs/reference',
      'docs/http-api',
      'docs/options',
      'docs/events',
      'docs/cli',
      'docs/support',
      'CHANGELOG',
    ],
  },
  {
    text: 'Background',
    pages: [
      'docs/specification',
      'SECURITY',
      'docs/attack-cases',
      'docs/panel-checks',
      'docs/performance',
      'CONTRIBUTING',
      'docs/decisions',
    ],
    folders: { 'docs/decisions': 'docs/decisions' },
  },
]
