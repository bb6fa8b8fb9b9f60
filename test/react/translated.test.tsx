import { afterEach, describe, expect, it } from 'vitest'
import { CodeForm, useAnnounce } from '../../web/react/react.ts'
import { draw } from './draw.tsx'
import {
  alertText,
  button,
  closeAndRestore,
  eventually,
  field,
  logIn,
  one,
  openPanel,
  pass,
  press,
  settled,
  statusText,
  stopCountdown,
  type,
} from './open-panel.tsx'

/** Replaces every text node, as the translation of a browser does, but for what is excluded. */
function translate(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: CharacterData[] = []
  while (texts.nextNode()) found.push(texts.currentNode as CharacterData)
  for (const text of found) {
    if (text.parentElement?.closest('[translate=no]')) continue
    const font = document.createElement('font')
    font.textContent = `«${text.data}»`
    text.replaceWith(font)
  }
}

function Counter() {
  const announce = useAnnounce()
  return (
    <>
      <button type="button" onClick={() => announce('One is saved.')}>
        One
      </button>
      <button type="button" onClick={() => announce('Two are saved.')}>
        Two
      </button>
    </>
  )
}

describe('a page that the browser has translated', () => {
  afterEach(closeAndRestore)

  it('stays when another message is announced in place of one', async () => {
    await draw(<Counter />)
    const two = button('Two')
    await press('One')
    translate()
    two.click()
    await settled()
    expect(two.isConnected).toBe(true)
    expect(statusText()).toBe('Two are saved.')
  })

  it('tells the user to try again once the wait of a refused login has passed', async () => {
    stopCountdown()
    const { service } = await openPanel()
    service.refuse('login', { status: 422, key: 'svc::auth.throttle', retry_after: 9 })
    await logIn('ada@example.com', 'right')
    translate()
    await pass(10_000)
    expect(alertText()).toBe('You can try again now.')
  })

  it('goes on showing the time that is left', async () => {
    stopCountdown()
    await draw(<CodeForm />, { prepare: (service) => (service.codeOwed = { seconds: 60 }) })
    translate()
    await pass(10_000)
    expect(one('[role=timer]').textContent).toBe('0:50')
  })

  it('says how strong the password is that is typed now', async () => {
    const at = '/reset-password#token=t&email=ada@example.com'
    await openPanel({ at, page: { passwords: true } })
    await eventually(() => type('New password', 'short'))
    await settled()
    const input = field('New password')
    translate()
    input.value = 'an orchard of plum trees and pears'
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await settled()
    expect(one('[data-svc-part=strength]').textContent).toBe('Strong')
  })

  it('tells what the button beside the password does', async () => {
    await openPanel()
    translate()
    await press('Show password')
    expect(button('Hide password').textContent).toBe('Hide')
  })
})
