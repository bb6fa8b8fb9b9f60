// Reads the part "Unreleased" of a changelog, from which the next version follows.

/** Headings of what may break a host, by the policy of docs/support.md, "Versions". */
const BREAKING = ['Changed', 'Removed']
const HEADINGS = ['Added', 'Changed', 'Fixed', 'Removed', 'Security']

/**
 * Returns the entries of "Unreleased" by their headings.
 *
 * @param {string} changelog
 * @returns {Readonly<Record<string, readonly string[]>>}
 * @throws {Error} There is no such part, or a heading is unknown.
 */
export function unreleasedEntries(changelog) {
  const [, part] = /^## Unreleased\n(.*?)(?=^## |$(?![^]))/ms.exec(changelog) ?? []
  if (part === undefined)
    throw new Error('CHANGELOG.md has no part "## Unreleased": add it above the latest version.')
  const sections = part.split(/^### /m).slice(1)
  return Object.fromEntries(sections.map(readSection))
}

function readSection(section) {
  const [heading = '', ...lines] = section.split('\n')
  if (!HEADINGS.includes(heading))
    throw new Error(`CHANGELOG.md has a heading "${heading}": use one of ${HEADINGS.join(', ')}.`)
  const entries = lines.join('\n').split(/^- /m).slice(1)
  return [heading, entries.map((entry) => entry.trim())]
}

/**
 * Returns the version that follows the last one, by docs/support.md, "Versions".
 *
 * @param {string} last
 * @param {ReturnType<typeof unreleasedEntries>} entries
 */
export function nextVersion(last, entries) {
  const [major = 0, minor = 0, patch = 0] = last.split('.').map(Number)
  const has = (headings) => headings.some((heading) => (entries[heading] ?? []).length > 0)
  if (has(BREAKING)) return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`
  if (has(['Added']) && major > 0) return `${major}.${minor + 1}.0`
  return `${major}.${minor}.${patch + 1}`
}

/**
 * Returns the changelog with "Unreleased" under a version and its date, below an empty "Unreleased".
 *
 * @param {string} changelog
 * @param {string} version
 * @param {Date} date
 */
export function withVersion(changelog, version, date) {
  const heading = `## ${version} (${date.toISOString().slice(0, 10)})`
  return changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n${heading}`)
}

/**
 * Returns `true` if the entries of "Changed" or "Removed" have a name in code, such as `` `mount(auth)` ``.
 *
 * @param {ReturnType<typeof unreleasedEntries>} entries
 * @param {string} name
 */
export function announces(entries, name) {
  const code = BREAKING.flatMap((heading) => entries[heading] ?? []).flatMap((entry) =>
    Array.from(entry.matchAll(/`([^`]+)`/g), ([, text]) => text),
  )
  return code.some((text) => text.split(/[^\w@/$-]+/).includes(name))
}
