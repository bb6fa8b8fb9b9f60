import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { sections } from '../navigation.mjs'

/** The copies that `scripts/site.mjs` makes. */
const root = fileURLToPath(new URL('../.pages', import.meta.url))
const { homepage } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** Returns a section of the sidebar. A page with a folder has its pages below it. */
function sectionOf({ text, pages, folders = {} }) {
  const items = pages.map((page) => {
    const folder = folders[page]
    return folder === undefined ? entryOf(page) : { ...groupOf(page), items: pagesOf(folder) }
  })
  return { text, items }
}

/** Returns the head of a group. Without a link, its title would be a button around another button. */
function groupOf(page) {
  if (existsSync(join(root, `${page}.md`))) return { ...entryOf(page), collapsed: true }
  const [name] = page.split('/').toReversed()
  const [{ link }] = pagesOf(page)
  return { text: `${name[0].toUpperCase()}${name.slice(1)}`, link, collapsed: true }
}

function pagesOf(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'))
  return names.toSorted().map((name) => entryOf(`${folder}/${name.replace(/\.md$/, '')}`))
}

/** Returns a link to a page, by its heading. */
function entryOf(page) {
  const text = readFileSync(join(root, `${page}.md`), 'utf8')
  const [, heading = page] = /^# (.+)$/m.exec(text) ?? []
  return { text: heading.replaceAll('`', ''), link: `/${page}` }
}

/**
 * Lets readers scroll a wide table sideways, by the keyboard as well.
 *
 * @param {import('markdown-it').default} markdown
 */
function scrollTables(markdown) {
  markdown.renderer.rules.table_open = () => '<div class="wide-table" tabindex="0"><table>'
  markdown.renderer.rules.table_close = () => '</table></div>'
}

/**
 * Lets links to files that are not pages, such as sources, lead to the repository.
 *
 * @param {import('markdown-it').default} markdown
 */
function linkSources(markdown) {
  markdown.core.ruler.push('source-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === 'link_open' ? token.attrGet('href') : null
      if (target === null || /^(?:[a-z]+:|#|\/)/.test(target)) continue
      const [path] = target.split('#')
      const file = normalize(join(dirname(env.path), path))
      const isPage = path === '' || (path.endsWith('.md') && existsSync(file))
      if (!isPage) token.attrSet('href', `${homepage}/${relative(root, file)}`)
    }
  })
}

const DESCRIPTION =
  'Session authentication for the administration panels of TypeScript applications'

export default defineConfig({
  title: '@svc/auth',
  description: DESCRIPTION,
  srcDir: '.pages',
  cleanUrls: true,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/logo.svg' }],
    ['meta', { property: 'og:type', content: 'website' }],
    [
      'meta',
      {
        property: 'og:title',
        content: '@svc/auth: login, second factor and bell for your admin panel',
      },
    ],
    ['meta', { property: 'og:description', content: DESCRIPTION }],
    ['meta', { property: 'og:image', content: `${homepage}/social.png` }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    config(markdown) {
      linkSources(markdown)
      scrollTables(markdown)
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    logo: '/logo.svg',
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boost: { title: 8, text: 2, titles: 1 } } } },
    },
    outline: [2, 3],
    nav: [
      ...sections.map(({ text, pages }) => ({ text, link: `/${pages[0]}` })),
      { text: 'Playground', link: '/playground' },
    ],
    sidebar: sections.map(sectionOf),
  },
})
