// The order of the pages. A link leads to a Markdown file, without its extension.

/** @typedef {{ text: string, pages: readonly string[], folders?: Readonly<Record<string, string>> }} Section */

/** @type {readonly Section[]} */
export const sections = [
  {
    text: 'Start',
    pages: [
      'README',
      'docs/tutorial',
      'playground',
      'docs/coming-from-laravel',
      'docs/coming-from-better-auth',
    ],
  },
  {
    text: 'Guides',
    pages: [
      'docs/users',
      'docs/passwords',
      'docs/sessions',
      'docs/confirmation',
      'docs/single-sign-on',
      'docs/impersonation',
      'docs/two-factor',
      'docs/activity',
      'docs/password-hashes',
      'docs/moving',
      'docs/frameworks',
      'docs/browser',
      'docs/vite',
      'docs/pages',
      'docs/styling',
      'docs/testing',
      'docs/deployment',
      'docs/scaling',
      'docs/sqlite',
      'docs/mysql',
      'docs/redis',
    ],
    folders: { 'docs/frameworks': 'docs/frameworks', 'docs/moving': 'docs/moving' },
  },
  {
    text: 'Reference',
    pages: [
      'docs/options',
      'docs/http-api',
      'docs/events',
      'docs/metrics',
      'docs/cli',
      'docs/reference',
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
