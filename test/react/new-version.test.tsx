import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { draw } from './draw.tsx'
import { button, eventually, one } from './open-panel.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A field whose value is the state of the host, as React's documentation writes it. */
function ControlledText() {
  const [name, setName] = useState('Ada')
  return <input value={name} onInput={(event) => setName(event.currentTarget.value)} />
}

function ControlledChoice() {
  const [role, setRole] = useState('editor')
  return (
    <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
      <option value="reader">Reader</option>
      <option value="editor">Editor</option>
    </select>
  )
}

const PlainChoice = () => (
  <select>
    <option value="">Choose a person</option>
    <option value="2">Bea</option>
  </select>
)

const Search = () => <input type="search" />

/** Changes the field as a user does, or as a password manager does, without the focus. */
function enter(value: string, how: 'focused' | 'filled in'): void {
  const field = one('input, select') as HTMLInputElement | HTMLSelectElement
  if (how === 'focused') field.focus()
  const { prototype } = field instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement
  // React replaces the property of the element itself, to notice what a script has set.
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}

/** Presses the button of the bar, and dismisses the question. @returns what it caused. */
async function pressReload(): Promise<'asked' | 'reloaded'> {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const question = vi.fn<() => boolean>(() => false)
  vi.stubGlobal('confirm', question)
  document.dispatchEvent(new Event('visibilitychange'))
  await eventually(() => button('Reload'))
  button('Reload').click()
  expect(reload.mock.calls.length + question.mock.calls.length).toBe(1)
  return question.mock.calls.length === 1 ? 'asked' : 'reloaded'
}

const isOutdated = async () => true

describe('the button that loads a new version in an application of React', () => {
  it.each([
    ['a text', ControlledText, 'focused', 'Ada L.'],
    ['a text that a password manager has filled in', ControlledText, 'filled in', 'Ada L.'],
    ['a choice', ControlledChoice, 'focused', 'reader'],
    ['a choice that was made without the focus', PlainChoice, 'filled in', '2'],
  ] as const)('asks before it loses %s', async (_, Field, how, value) => {
    await draw(<Field />, { isOutdated })
    enter(value, how)
    expect(await pressReload()).toBe('asked')
  })

  it.each([
    ['a text was not changed', ControlledText, []],
    ['a text is the one before again', ControlledText, ['Ada L.', 'Ada']],
    ['a list was not changed', PlainChoice, []],
    ['a choice is the one before again', ControlledChoice, ['reader', 'editor']],
    ['the field is a search', Search, ['Bea']],
  ] as const)('does not ask when %s', async (_, Field, values) => {
    await draw(<Field />, { isOutdated })
    for (const value of values) enter(value, 'focused')
    expect(await pressReload()).toBe('reloaded')
  })
})
