// Replaces the parts of a page that are generated, and writes Markdown as the formatter leaves it.

const PART = /<!-- generated: (.+) -->\n[\s\S]*?<!-- end -->/g

/**
 * Returns the page with its generated parts replaced.
 *
 * @param {string} page
 * @param {Readonly<Record<string, string>>} parts by the name in their markers
 * @returns {string}
 */
export function withGenerated(page, parts) {
  const missing = new Set(Object.keys(parts))
  const written = page.replaceAll(PART, (_, name) => {
    if (!missing.delete(name))
      throw new Error(`the page has a part that nothing generates: ${name}`)
    return `<!-- generated: ${name} -->\n\n${parts[name]}\n\n<!-- end -->`
  })
  if (missing.size > 0) throw new Error(`the page has no place for ${[...missing].join(', ')}`)
  return written
}

/**
 * Returns a table whose columns have the width of their longest cell.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly (string | number)[])[]} rows
 * @returns {string}
 */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => String(cell).replaceAll('|', String.raw`\|`)),
  )
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)))
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  const [first, ...others] = cells
  return [line(first), rule, ...others.map(line)].join('\n')
}

/** @param {string} text */
export const code = (text) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

/**
 * @param {string} language
 * @param {string} text
 */
export const fenced = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``
