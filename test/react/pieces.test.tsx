import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { CodeForm, PanelGuard, useAnnounce } from '../../web/react/react.ts'
import { Button } from '../../web/react/parts/button.tsx'
import { Modal } from '../../web/react/parts/modal.tsx'
import { LoadingSection } from '../../web/react/session/loading-section.tsx'
import { draw } from './draw.tsx'
import { ada, button, eventually, one, settled, statusText } from './open-panel.tsx'

describe('the guard', () => {
  it('renders its content for a logged-in user, and its fallback otherwise', async () => {
    const { session } = await draw(
      <PanelGuard otherwise={<p>Nobody</p>}>
        <p>Somebody</p>
      </PanelGuard>,
      { prepare: (service) => (service.user = ada) },
    )
    expect(one('p').textContent).toBe('Somebody')
    await session.logout()
    await settled()
    expect(one('p').textContent).toBe('Nobody')
  })

  it('renders nothing at a gate without a fallback', async () => {
    await draw(
      <PanelGuard>
        <p>Somebody</p>
      </PanelGuard>,
      {
        prepare: (service) => {
          service.user = ada
          service.unverified = 'ada@example.com'
        },
      },
    )
    expect(document.querySelector('p')).toBeNull()
  })
})

describe('the code form of a host that knows its codes', () => {
  it('states their number of digits', async () => {
    await draw(<CodeForm digits={6} />, {
      prepare: (service) => (service.codeOwed = { seconds: 60 }),
    })
    expect(one('form').textContent).toContain('Usually 6 digits. Spaces are fine.')
  })

  it('is not rendered while no code is required', async () => {
    await draw(<CodeForm />, { prepare: (service) => (service.user = ada) })
    expect(document.querySelector('form')).toBeNull()
  })
})

describe('a section that loads', () => {
  it('takes its own announcement back when it has loaded, and no other', async () => {
    function Page() {
      const announce = useAnnounce()
      const [isLoading, setIsLoading] = useState(false)
      return (
        <>
          <button onClick={() => setIsLoading(!isLoading)}>Turn</button>
          <button onClick={() => announce('Saved')}>Save</button>
          {isLoading && <LoadingSection title="Sessions" />}
        </>
      )
    }
    await draw(<Page />)
    for (const after of [null, 'Saved']) {
      button('Turn').click()
      await eventually(() => expect(statusText()).toBe('Loading…'))
      if (after !== null) button('Save').click()
      await settled()
      button('Turn').click()
      await settled()
      expect(statusText()).toBe(after ?? '')
    }
  })

  it('is announced once when its data load after its file', async () => {
    function Page() {
      const [loading, setLoading] = useState('the file')
      return (
        <>
          <button onClick={() => setLoading('the data')}>Load</button>
          <LoadingSection key={loading} title="Sessions" />
        </>
      )
    }
    await draw(<Page />)
    await eventually(() => expect(statusText()).toBe('Loading…'))
    const spoken: string[] = []
    const observer = new MutationObserver(() => spoken.push(statusText() ?? ''))
    observer.observe(one('[role=status]'), { childList: true, characterData: true, subtree: true })
    button('Load').click()
    await new Promise((resolve) => {
      setTimeout(resolve, 400)
    })
    observer.disconnect()
    expect(spoken).not.toContain('Loading…')
  })
})

describe('a button that waits', () => {
  it('X10 does nothing, says why, and stays focusable', async () => {
    const press = vi.fn<() => void>()
    await draw(
      <>
        <Button part="x" waitsFor="reason" onPress={press}>
          Save
        </Button>
        <p id="reason">In a moment</p>
      </>,
    )
    button('Save').click()
    expect(press).not.toHaveBeenCalled()
    expect(button('Save').getAttribute('aria-disabled')).toBe('true')
    expect(button('Save').getAttribute('aria-describedby')).toBe('reason')
    expect(button('Save').disabled).toBe(false)
  })
})

describe('a dialog', () => {
  function Asking() {
    const [asked, setAsked] = useState<'asked' | null>(null)
    return (
      <>
        <Button part="open" onPress={() => setAsked('asked')}>
          Ask
        </Button>
        {asked && (
          <Modal
            role="alertdialog"
            title="Sure?"
            body="It cannot be undone."
            onCancel={() => setAsked(null)}
          >
            <Button part="no" onPress={() => setAsked(null)}>
              No
            </Button>
          </Modal>
        )}
      </>
    )
  }

  it('S9 is named, described and modal, and closes by Escape', async () => {
    await draw(<Asking />)
    button('Ask').click()
    await settled()
    const dialog = one('dialog')
    expect(dialog.getAttribute('role')).toBe('alertdialog')
    expect(dialog.hasAttribute('open')).toBe(true)
    const said = (name: string) => document.getElementById(dialog.getAttribute(name) ?? '')
    expect(said('aria-labelledby')?.textContent).toBe('Sure?')
    expect(said('aria-describedby')?.textContent).toBe('It cannot be undone.')
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    await settled()
    expect(document.querySelector('dialog')).toBeNull()
  })

  it('ignores the second click of a double click on what opened it', async () => {
    const send = vi.fn<(event: Event) => void>((event) => event.preventDefault())
    await draw(
      <Modal role="dialog" title="Confirm" body="Enter your password." onCancel={() => {}}>
        <form onSubmit={({ nativeEvent }) => send(nativeEvent)}>
          <Button type="submit" part="submit">
            Confirm
          </Button>
        </form>
      </Modal>,
    )
    const click = (detail: number) =>
      new MouseEvent('click', { bubbles: true, cancelable: true, detail })
    button('Confirm').dispatchEvent(click(2))
    expect(send).not.toHaveBeenCalled()
    button('Confirm').dispatchEvent(click(1))
    expect(send).toHaveBeenCalledOnce()
  })
})
