// Reads from package.json which source file each public entry is built from.
import { readFileSync } from 'node:fs'

const { exports, bin } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

/**
 * Returns the source of every entry by its name in `exports`. The declarations have the folders of
 * the sources; the code of the server does not, because it is bundled.
 *
 * @returns {Record<string, string>}
 */
export function entrySources() {
  return Object.fromEntries(
    Object.entries(exports).map(([entry, target]) => [entry, sourceOf(target)]),
  )
}

/**
 * Returns the sources of the entries and of the commands that are bundled for Node, by the name of
 * the file.
 *
 * @returns {Record<string, string>}
 */
export function serverEntries() {
  const entries = Object.values(exports).flatMap((target) => {
    const name = /^\.\/dist\/server\/(.*)\.js$/.exec(target.default ?? '')?.[1]
    return name === undefined ? [] : [[name, sourceOf(target)]]
  })
  const commands = Object.keys(bin).map((name) => [name, `src/cli/${name}.ts`])
  return Object.fromEntries([...entries, ...commands])
}

function sourceOf(target) {
  if (typeof target === 'string') return target.slice('./'.length)
  return target.types
    .replace(/^\.\/dist\//, '')
    .replace(/^\.\//, '')
    .replace(/(?<!\.css)\.d\.ts$/, '.ts')
    .replace(/\.css\.d\.ts$/, '.css')
}
