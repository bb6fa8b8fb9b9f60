import type { PanelConfig } from '@svc/auth'
import type { InferInput } from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { configSchema } from '../../src/config/options-schema.ts'
import { membersOf } from '../../scripts/docs/members.mjs'
import { configOptions, pathsOfSchema } from '../../scripts/docs/options.mjs'

const options = configOptions()

describe('The interface PanelConfig', () => {
  it('has the options of the schema in the same order', () => {
    expect(options.map((option) => option.path)).toEqual(pathsOfSchema())
  })

  it('has the types of the schema', () => {
    expectTypeOf<Comparable<InferInput<typeof configSchema>>>().toEqualTypeOf<
      Comparable<PanelConfig>
    >()
  })

  it.each(options.filter(({ isOptional }) => isOptional))(
    'names the default of $path in its docstring',
    ({ fixed, default: documented }) => {
      expect(documented).not.toBeNull()
      if (fixed !== null) expect(documented?.split(', ')[0]).toBe(fixed)
    },
  )

  it.each(options.filter(({ isOptional }) => !isOptional))(
    'names no default of $path, which is required',
    ({ fixed, default: documented }) => {
      expect([fixed, documented]).toEqual([null, null])
    },
  )
})

describe('The options of hashPassword', () => {
  const named = membersOf('build/src/core/passwords/passwords.d.ts', 'PasswordOptions')

  it.each(named)('names the default of $path that the configuration has', (option) => {
    const inConfig = `passwords.${option.path.replace('KiB', '_kib')}`
    expect(option.default).toBe(options.find((one) => one.path === inConfig)?.default)
  })
})

/** A type without `readonly`, and without `undefined` as the value of an optional key. */
type Comparable<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly (infer Item)[]
    ? Comparable<Item>[]
    : T extends object
      ? { -readonly [Key in keyof T]: Comparable<Exclude<T[Key], undefined>> }
      : T
