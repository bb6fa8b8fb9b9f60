import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const maxColumns = 100

/** First words that end in "s" and are not verbs. */
const notVerbs = new Set(
  `this its his whose always sometimes perhaps unless thus plus as is was has does across less yes
  various besides status`.split(/\s+/),
)

/** Docstrings that open with a noun or an adverb because a verb would only repeat the name. */
const mayOpenWith: readonly RegExp[] = [/^Default: /, /^Idempotent\b/]

const questionWord = /^(?:What|Whether|How|Who|Whose|Where|When|Why|Which)\b/

/** Code after a docstring that declares a function, a method or a function-valued const. */
const declaresFunction: readonly RegExp[] = [
  /^(?:export )?(?:async )?function\b/,
  /^(?:export )?const \w+(?:: [^=]+)? = (?:async )?(?:<[^>]*>)?\([^)]*\)(?:: [^=]+)? =>/,
  /^(?:export )?const \w+ = (?:async )?\w+ =>/,
  /^(?:async )?[\w#]+\??(?:<[^>]*>)?\((?:$|.*(?:\{|\): .*)$)/,
]

/** Statements that look like a method declaration. */
const isStatement = /^(?:if|for|while|switch|return|catch)\b/

const files = ['src', 'web', 'panel'].flatMap(sourceFiles)
const beside = ['test', 'scripts', 'bench'].flatMap(sourceFiles)

describe('comments', () => {
  it('open with a verb in the third person where they are of functions', () => {
    const wrong = files.flatMap((file) =>
      docstringsOf(file)
        .filter(({ code }) => isFunction(code))
        .filter(({ text }) => !opensWithVerb(text))
        .map(({ line, text }) => `${file}:${line} ${firstLine(text)}`),
    )
    expect(wrong).toEqual([])
  })

  it('do not open with a question word, in any room', () => {
    const wrong = [...files, ...beside].flatMap((file) =>
      docstringsOf(file)
        .filter(({ text }) => questionWord.test(text))
        .map(({ line, text }) => `${file}:${line} ${firstLine(text)}`),
    )
    expect(wrong).toEqual([])
  })

  it(`have lines of at most ${maxColumns} columns`, () => {
    const wrong = files.flatMap((file) =>
      linesOf(file).flatMap((line, index) =>
        isComment(line) && line.length > maxColumns ? [`${file}:${index + 1}`] : [],
      ),
    )
    expect(wrong).toEqual([])
  })
})

describe('file names', () => {
  it('are unique between rooms, entries excepted', () => {
    const roomsOf = new Map<string, Set<string>>()
    for (const file of files) {
      const name = basename(file).replace(/\.[a-z]+$/, '')
      roomsOf.set(name, (roomsOf.get(name) ?? new Set()).add(roomOf(file)))
    }
    const shared = [...roomsOf].filter(
      ([name, of]) => of.size > 1 && !['main', 'index', 'vite.config'].includes(name),
    )
    expect(shared.map(([name, of]) => `${name}: ${[...of].join(', ')}`)).toEqual([])
  })
})

interface Docstring {
  readonly line: number
  /** The text without the comment marks. */
  readonly text: string
  /** The first line of code after it. */
  readonly code: string
}

function docstringsOf(file: string): Docstring[] {
  const source = readFileSync(file, 'utf8')
  return Array.from(source.matchAll(/^[ \t]*\/\*\*([\s\S]*?)\*\//gm), (match) => {
    const after = source.slice(match.index + match[0].length)
    return {
      line: source.slice(0, match.index).split('\n').length,
      text: (match[1] ?? '').replaceAll(/^\s*\* ?/gm, '').trim(),
      code: after.trimStart().split('\n')[0] ?? '',
    }
  })
}

function isFunction(code: string): boolean {
  return !isStatement.test(code) && declaresFunction.some((declares) => declares.test(code))
}

function opensWithVerb(text: string): boolean {
  if (mayOpenWith.some((opening) => opening.test(text))) return true
  const [word = ''] = /^[A-Za-z-]+/.exec(text) ?? []
  return /^[A-Z][a-z-]*s$/.test(word) && !notVerbs.has(word.toLowerCase())
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*\*?|\*)/.test(line)
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n')
}

function roomOf(file: string): string {
  const [top = '', room = ''] = file.split('/')
  return top === 'panel' ? top : room.replace(/\.ts$/, '')
}

function sourceFiles(room: string): string[] {
  return readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs|js)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(room, name))
}
