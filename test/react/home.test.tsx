import { afterEach, describe, expect, it } from 'vitest'
import type { FakeBell } from '../client/fake-bell.ts'
import { fakeBrowser } from '../client/fake-browser.ts'
import { ada, button, closeAndRestore, eventually, one, openPanel, settled } from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'

afterEach(closeAndRestore)

async function openHome(send: (bell: FakeBell) => void, prepare?: Opening['prepare']) {
  const browser = fakeBrowser()
  const opened = await openPanel({
    user: ada,
    prepare(service) {
      send(service.bell)
      prepare?.(service)
    },
  })
  await eventually(() => one('#svc-notifications'))
  await settled()
  return { ...opened, browser }
}

describe('the latest notifications on the home page', () => {
  it('keep the focus at their heading when they are loaded again', async () => {
    const { service } = await openHome(
      (bell) => bell.add('Backup completed'),
      (service) => service.fail('notifications'),
    )
    await eventually(() => button('Try again'))
    const answer = service.hold('notifications')
    button('Try again').focus()
    button('Try again').click()
    await settled()
    expect(document.activeElement).toBe(one('#svc-notifications'))
    answer()
    await eventually(() => expect(one('.svc-latest li').textContent).toContain('Backup completed'))
    expect(document.activeElement).toBe(one('#svc-notifications'))
  })

  it('show the first one when it arrives', async () => {
    const { service, browser } = await openHome(() => {})
    expect(one('.svc-latest').textContent).toBe('You are up to date')
    service.bell.add('Backup completed')
    browser.tell(1)
    await eventually(() => expect(one('.svc-latest li').textContent).toContain('Backup completed'))
  })

  it.each([
    ['click', 0],
    ['auxclick', 1],
  ])('are marked as read by a link that a %s of button %i opens', async (type, pressed) => {
    const { service } = await openHome((bell) => bell.add('Invoice', { url: 'https://a.test/' }))
    const event = new MouseEvent(type, { button: pressed, bubbles: true, cancelable: true })
    // Here the address would be opened.
    event.preventDefault()
    one('.svc-latest a').dispatchEvent(event)
    await eventually(() => expect(service.bell.unread()).toBe(0))
  })

  it('stay unread when the menu of a link is opened', async () => {
    const { service } = await openHome((bell) => bell.add('Invoice', { url: 'https://a.test/' }))
    one('.svc-latest a').dispatchEvent(new MouseEvent('auxclick', { button: 2, bubbles: true }))
    await settled()
    expect(service.bell.unread()).toBe(1)
  })
})

it('greets a user whose name has characters of direction, which turn no other word', async () => {
  await openPanel({ user: { ...ada, name: '\u2069\u202EAda' } })
  expect(one('h1').textContent).toBe('Welcome, Ada')
})
