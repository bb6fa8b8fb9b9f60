import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** First words that lack what the title says: its `describe` would be the half of a sentence. */
const PREPOSITION =
  /^(?:and|or|by|with|without|of|in|at|on|to|from|for|when|while|after|before|during|about)\b/

/** The ids before a title, such as `THR-01, THR-02: `. */
const IDS = /^(?:[A-Z0-9]+-[A-Z0-9]+(?:, )?)+:? /

/** The call of a test, and its title on the same line or on the next. */
const CALL = /^\s*(?:it|test)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])(.+?)\1/gm

/** The rows of a test, and the title behind them. */
const ROWS = /^( *)it\.each[^\n]*\[\n[\s\S]*?^\1\]\)\(\s*(['"`])(.+?)\2/gm

describe('the title of a test', () => {
  it('opens with what the test says, and not with a preposition', () => {
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => join('test', name))
    const fragments = files.flatMap((file) =>
      titlesIn(readFileSync(file, 'utf8'))
        .filter((title) => PREPOSITION.test(title.replace(IDS, '')))
        .map((title) => `${file}: ${title}`),
    )
    expect(fragments).toEqual([])
  })
})

function titlesIn(code: string): readonly string[] {
  return [
    ...Array.from(code.matchAll(CALL), ([, , title = '']) => title),
    ...Array.from(code.matchAll(ROWS), ([, , , title = '']) => title),
  ]
}
