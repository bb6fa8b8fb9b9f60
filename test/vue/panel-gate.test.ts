// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defineComponent, h, nextTick, onUnmounted, ref } from 'vue'
import { PanelGate } from '../../web/vue/vue.ts'
import type { PanelGateSlots } from '../../web/vue/vue.ts'
import { ada } from '../client/tested-session.ts'
import { settled } from '../react/open-panel.tsx'
import { asAda, draw } from './draw.ts'
import type { Drawing } from './draw.ts'

const onSetup = vi.fn<() => void>()
const onUnmount = vi.fn<() => void>()

// Not after each: the application of a test is unmounted only then.
beforeEach(() => {
  onSetup.mockReset()
  onUnmount.mockReset()
})

/** An application that keeps data in memory until it is unmounted. */
const Shop = defineComponent(() => {
  onSetup()
  onUnmounted(onUnmount)
  return () => h('h1', 'Orders of Ada')
})

/** Draws the application behind the gate. */
async function drawShop(drawing: Drawing = {}, slots: PanelGateSlots = {}) {
  return draw(() => h(PanelGate, { name: 'Shop' }, { default: () => h(Shop), ...slots }), drawing)
}

const PATIENT = { timeout: 30_000 } as const

function fieldOf(parent: string): HTMLInputElement {
  const input = document.querySelector(`${parent} input:not([hidden])`)
  if (!(input instanceof HTMLInputElement)) throw new Error(`${parent} has no field`)
  return input
}

const heading = () => document.querySelector('h1')?.textContent
const showsHeading = async (text: string) => vi.waitFor(() => expect(heading()).toBe(text))

describe('the gate', () => {
  it('renders the application for a user, without the style sheet’s root', async () => {
    await drawShop({ prepare: asAda })
    await showsHeading('Orders of Ada')
    await vi.waitFor(() => expect(document.querySelector('[data-svc-root]')).toBeNull())
  })

  it('asks a user to confirm where the service demands it, and leaves no trace after', async () => {
    const { service, session } = await drawShop({ prepare: asAda })
    await showsHeading('Orders of Ada')
    await settled()
    const key = 'svc::auth.confirmation_required'
    service.refuse('two-factor.setup', { status: 403, key, confirmation_required: true })
    const answer = session.call('two-factor.setup')
    const input = await vi.waitFor(() => fieldOf('dialog'), PATIENT)
    input.value = 'right'
    input.form?.requestSubmit()
    expect(await answer).toMatchObject({ outcome: 'ok' })
    expect(service.confirmations).toEqual([{ password: 'right' }])
    await vi.waitFor(() => expect(document.querySelector('[data-svc-root]')).toBeNull())
  })

  it('renders the login for a guest, and never sets the application up', async () => {
    await drawShop()
    await showsHeading('Log in')
    expect(onSetup).not.toHaveBeenCalled()
    expect(document.querySelector('[data-svc-root]')).not.toBeNull()
  })

  it.each([
    ['has to enter a code', { codeOwed: { seconds: 300 } }, 'Enter your code'],
    ['has to verify an email', { user: ada, unverified: ada.email }, 'Verify your email'],
    ['has to set up a second factor', { user: ada, factor: required() }, 'Security'],
  ])('never sets the application up for a user who %s', async (_who, service, screen) => {
    await drawShop({ prepare: (fake) => Object.assign(fake, service) })
    await showsHeading(screen)
    expect(onSetup).not.toHaveBeenCalled()
  })

  it('unmounts the application before the next frame when the session ends', async () => {
    const { service, session } = await drawShop({ prepare: asAda })
    await showsHeading('Orders of Ada')
    service.user = null
    await session.refresh()
    await nextTick()
    expect(document.body.textContent).not.toContain('Orders of Ada')
    expect(onUnmount).toHaveBeenCalledOnce()
    await showsHeading('Log in')
  })

  it('keeps the application during an outage', async () => {
    const { service, session } = await drawShop({ prepare: asAda })
    await showsHeading('Orders of Ada')
    service.fail('user')
    await session.refresh()
    await nextTick()
    expect(heading()).toBe('Orders of Ada')
    expect(onUnmount).not.toHaveBeenCalled()
  })

  it('reloads the page for another user, who sees nothing of the first', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    const { service, session } = await drawShop({ prepare: asAda })
    await showsHeading('Orders of Ada')
    service.user = { ...ada, id: '2', name: 'Bea' }
    await session.refresh()
    await nextTick()
    expect(document.body.textContent).not.toContain('Orders of Ada')
    expect(onSetup).toHaveBeenCalledOnce()
    expect(reload).toHaveBeenCalledOnce()
    reload.mockRestore()
  })

  it('announces that the address is verified once the application is shown', async () => {
    const { service, session } = await drawShop({
      prepare: (service) => Object.assign(service, { user: ada, unverified: ada.email }),
    })
    await showsHeading('Verify your email')
    service.unverified = null
    await session.refresh()
    await showsHeading('Orders of Ada')
    const status = () => document.querySelector('[role=status]')?.textContent
    await vi.waitFor(() => expect(status()).toBe('Email verified.'))
  })
})

describe('the screens', () => {
  it('change their language and keep what was typed', async () => {
    const locale = ref('en')
    await drawShop({ locale })
    await showsHeading('Log in')
    const email = () => document.querySelector<HTMLInputElement>('input[type=email]')
    const input = email()
    if (input !== null) input.value = 'ada@example.com'
    input?.dispatchEvent(new Event('input', { bubbles: true }))
    locale.value = 'fr'
    await showsHeading('Connexion')
    expect(email()?.value).toBe('ada@example.com')
  })

  it('show the slots of the host, which stay reactive and end with the screens', async () => {
    const name = ref('Acme')
    const { service, session } = await drawShop(
      {},
      {
        brand: () => h('b', name.value),
        help: () => h('i', 'Call us'),
        forgotPassword: () => h('i', 'Reset'),
      },
    )
    await showsHeading('Log in')
    await vi.waitFor(() => expect(document.querySelector('main b')?.textContent).toBe('Acme'))
    const links = [...document.querySelectorAll('main i')].map(({ textContent }) => textContent)
    expect(links).toEqual(['Reset', 'Call us'])
    name.value = 'Emca'
    await nextTick()
    expect(document.querySelector('main b')?.textContent).toBe('Emca')
    asAda(service)
    await session.refresh()
    await showsHeading('Orders of Ada')
    await vi.waitFor(() => expect(document.querySelector('b, i')).toBeNull())
  })
})

function required() {
  return { enabled: false, required: true, pending: false, codes_unseen: false }
}
