import { describe, expect, it } from 'vitest'
import { errorsInExamples, exampleIn, shownBy } from '../../scripts/docs/examples.mjs'
import { entries } from '../../scripts/docs/reference.mjs'

const folder = 'build/examples'
/** The compiler needs four seconds of one core, and other tests run beside it. */
const COMPILING = { timeout: 120_000 }
const all = entries()
const withExample = new Set(
  all.flatMap(({ name: entry, exported }) =>
    exported.filter(({ example }) => example !== null).map(({ name }) => `${entry} ${name}`),
  ),
)

describe('The examples of the public exports', () => {
  it('exist for every function, class, component, hook and constant', () => {
    const values = all.flatMap(({ name: entry, exported }) =>
      exported.filter(({ isValue }) => isValue).map(({ name }) => `${entry} ${name}`),
    )
    expect(values.filter((value) => !withExample.has(value))).toEqual([])
  })

  it('exist for every contract that a host implements, or `@see` names one', () => {
    const missing = all.flatMap(({ exported }) =>
      exported
        .filter(({ isContract }) => isContract)
        .filter(({ example, see }) => example === null && !see.some((it) => withExample.has(it)))
        .map(({ name }) => name),
    )
    expect(missing).toEqual([])
  })

  it('show every other type: an export with an example names it in its declaration', () => {
    const unseen = all.flatMap(({ name: entry, exported }) => {
      const shown = shownBy(exported)
      return exported
        .filter(({ name, isContract }) => !shown.has(name) && !isContract)
        .map(({ name }) => `${entry} ${name}`)
    })
    expect(unseen).toEqual([])
  })

  it('compile against the built package', COMPILING, () => {
    expect(errorsInExamples(all, folder)).toEqual([])
  })

  it('are refused where they do not compile', COMPILING, () => {
    const example = { language: 'ts', code: "memoryStores('panel.db')" }
    const broken = all
      .filter(({ name }) => name === '@svc/auth/memory')
      .map(({ name, exported }) => ({
        name,
        exported: exported.flatMap((one) =>
          one.name === 'memoryStores' ? [{ ...one, example }] : [],
        ),
      }))
    expect(errorsInExamples(broken, `${folder}-broken`)).toEqual([
      expect.stringMatching(/memory-memoryStores\.ts.*Expected 0 arguments/),
    ])
  })

  it('are read only from one fence that names its language', () => {
    const fence = '```'
    expect(exampleIn(`* Does.\n * @example\n * ${fence}ts\n * a()\n * ${fence}\n`)).toEqual({
      language: 'ts',
      code: 'a()',
    })
    expect(exampleIn('* Does.\n * @returns it')).toBeNull()
    expect(() => exampleIn('* Does.\n * @example a()\n')).toThrow('in a fence')
  })
})
