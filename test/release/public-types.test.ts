import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { announces } from '../../scripts/release/changelog.mjs'
import { incompatibleTypes } from '../../scripts/release/public-types.mjs'

const BEFORE = `
export interface Bulb { readonly watts: number; readonly colour?: string }
export interface Store { read(key: string): string | null }
export interface Options { readonly stores: Store; readonly dim?: { readonly steps?: number; readonly slow?: boolean } }
export interface Lamp { readonly bulb: Bulb; on(): 'lit' | 'broken' }
export declare function createLamp(options: Options): Lamp;
export declare class LampError extends Error { readonly code: 'burnt'; }
export type Shade = 'linen' | 'paper';
`

describe('The comparison of the public types with those of the release before', () => {
  it('finds nothing in what is the same, and in what is only added', () => {
    expect(problemsAfter((types) => types)).toEqual([])
    const added = (types: string) =>
      types
        .replace('slow?: boolean', 'slow?: boolean; readonly fade?: number')
        .replace('readonly watts: number', 'readonly watts: number; readonly lumen: number')
        .concat('export declare function dimLamp(lamp: Lamp, by?: number): void;')
    expect(problemsAfter(added)).toEqual([])
  })

  it.each([
    ['a function that is removed', 'export declare function createLamp', 'createLamp', /removed/],
    ['a type that is removed', 'export type Shade', 'Shade', /removed/],
  ])('finds %s', (_what, declaration, name, problem) => {
    const found = problemsAfter((types) =>
      types.replace(declaration, declaration.replace('export ', '')),
    )
    expect(found).toEqual([{ entry: '@acme/lamp', name, problem: expect.stringMatching(problem) }])
  })

  it('finds a class of which only the type is left', () => {
    const found = problemsAfter(
      (types) =>
        `${types.replace('export declare class', 'declare class')}export type { LampError };`,
    )
    expect(found).toMatchObject([{ name: 'LampError', problem: 'it is removed' }])
  })

  it.each([
    ['an optional option', 'readonly steps?: number; ', '', '`dim.steps`'],
    ['an optional member of a result', '; readonly colour?: string', '', '`colour`'],
  ])('finds %s that is removed, which the compiler accepts', (_what, before, after, member) => {
    const found = problemsAfter((types) => types.replace(before, after))
    expect(found).toHaveLength(1)
    expect(found[0]?.problem).toBe(`its member ${member} is removed`)
  })

  it.each([
    [
      'an option that is required now',
      'readonly stores: Store;',
      'readonly stores: Store; readonly volts: number;',
    ],
    [
      'a method that a store of the host must have now',
      'read(key: string)',
      'write(): void; read(key: string)',
    ],
    ['a result with a further value', `'lit' | 'broken'`, `'lit' | 'broken' | 'stolen'`],
    [
      'a parameter that is required now',
      'createLamp(options: Options)',
      'createLamp(options: Options, volts: number)',
    ],
  ])('finds %s, by the function that takes or returns it', (_what, before, after) => {
    const found = problemsAfter((types) => types.replace(before, after))
    expect(found.map(({ name }) => name)).toEqual(['createLamp'])
  })

  it('finds an entry that is removed', () => {
    const [before, after] = [packageWith(BEFORE), packageWith(BEFORE, './bulb')]
    expect(incompatibleTypes(before, after, join(after, 'work')).map(({ name }) => name)).toEqual([
      '@acme/lamp',
    ])
  })
})

describe('An incompatible export is announced', () => {
  it.each([
    [
      'by its name in code under "Removed"',
      { Removed: ['`createLamp(options)` is `lampOf`.'] },
      true,
    ],
    ['not by its name in plain text', { Removed: ['createLamp is gone.'] }, false],
    ['not by a longer name', { Changed: ['`createLampShade` has two forms.'] }, false],
    ['not under "Added"', { Added: ['`createLamp` has a shade.'] }, false],
  ])('%s', (_how, entries, isAnnounced) => {
    expect(announces(entries, 'createLamp')).toBe(isAnnounced)
  })
})

function problemsAfter(change: (types: string) => string): ReturnType<typeof incompatibleTypes> {
  const [before, after] = [packageWith(BEFORE), packageWith(change(BEFORE))]
  return incompatibleTypes(before, after, join(after, 'work'))
}

function packageWith(types: string, entry = '.'): string {
  const folder = mkdtempSync(join(tmpdir(), 'types-'))
  const exports = { [entry]: { types: './dist/index.d.ts' } }
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: '@acme/lamp', exports }))
  writeFileSync(join(folder, 'dist', 'index.d.ts'), types)
  return folder
}
