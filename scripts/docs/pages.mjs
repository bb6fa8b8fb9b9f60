// The pages of docs as the package and the site have them: with the parts that are generated. In the repository,
// each such part links to the code that it is made from.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import * as cli from './cli.mjs'
import * as events from './events.mjs'
import * as frameworks from './frameworks.mjs'
import { withGenerated } from './generated.mjs'
import * as httpApi from './http-api.mjs'
import * as metrics from './metrics.mjs'
import * as options from './options.mjs'
import * as performance from './performance.mjs'
import * as reference from './reference.mjs'
import * as styling from './styling.mjs'
import * as support from './support.mjs'

/** The pages that the package has outside docs. */
const BESIDE = ['README.md', 'CHANGELOG.md', 'SECURITY.md']
const LINK = /\]\((?![a-z]+:|#)([^)#\s]+)(#[^)]*)?\)/g

/** @returns {ReadonlyMap<string, string>} the texts of all pages by their paths */
export function pages() {
  const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'))
  const sources = [cli, events, httpApi, metrics, options, performance, reference, styling, support]
  const partsOf = new Map([...sources, ...frameworks.pages()].map((it) => [it.path, it.parts]))
  const names = readdirSync('docs', { recursive: true }).filter((name) => name.endsWith('.md'))
  return new Map(
    names.map((name) => {
      const path = join('docs', name)
      const text = withGenerated(readFileSync(path, 'utf8'), partsOf.get(path)?.() ?? {})
      return [path, withLinksToCode(text, path, homepage)]
    }),
  )
}

/** Lets links to files that do not ship, such as sources, lead to the repository. */
function withLinksToCode(text, path, homepage) {
  return text.replaceAll(LINK, (link, target, anchor = '') => {
    const file = normalize(join(dirname(path), target))
    const isShipped = file.startsWith('docs') || BESIDE.includes(file)
    return isShipped ? link : `](${homepage}/${file}${anchor})`
  })
}
