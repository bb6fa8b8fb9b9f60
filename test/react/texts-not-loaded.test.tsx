import { afterEach, describe, expect, it, vi } from 'vitest'
import { Bell, LoginForm, LogoutButton, PanelScreens } from '../../web/react/react.ts'
import { draw } from './draw.tsx'
import { ada, one, statusText, type } from './open-panel.tsx'

vi.mock('../../src/rules/locales/ar.ts', () => ({
  get first() {
    throw new Error('the file did not arrive')
  },
}))

const notice = () => document.querySelector('[data-svc-part=texts-not-loaded]')
const languageOf = (selector: string) => {
  const part = one(selector).closest('[lang]')
  return [part?.getAttribute('lang'), part?.getAttribute('dir')]
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  document.documentElement.removeAttribute('lang')
  document.documentElement.removeAttribute('dir')
})

describe('parts whose texts load', () => {
  it.each([
    ['fr', 'en', ['fr', 'ltr']],
    ['en-GB', 'ar', ['en', 'ltr']],
    ['en', 'en', ['en', 'ltr']],
  ])(
    'have a language of their own, by lang and dir: %s in a page in %s',
    async (locale, page, own) => {
      document.documentElement.lang = page
      await draw(<PanelScreens name="Shop" />, { locale })
      expect(languageOf('main')).toEqual(own)
      expect(languageOf('[role=status]')).toEqual(own)
      expect(notice()).toBeNull()
    },
  )
})

describe('parts in a page of a language whose texts do not load', () => {
  it('are English by lang and dir, and the content of the host is not', async () => {
    document.documentElement.lang = 'ar'
    document.documentElement.dir = 'rtl'
    await draw(
      <>
        <p id="orders">الطلبات</p>
        <LoginForm />
      </>,
      { locale: 'ar-EG' },
    )
    expect(languageOf('form')).toEqual(['en', 'ltr'])
    expect(languageOf('[role=status]')).toEqual(['en', 'ltr'])
    expect(languageOf('#orders')).toEqual(['ar', 'rtl'])
  })

  it.each([
    ['screens', 'main', <PanelScreens key="screens" name="Shop" />, null],
    ['the bell', '[data-svc-part=bell]', <Bell key="bell" />, ada],
    ['the logout', '[data-svc-part=logout]', <LogoutButton key="logout" />, ada],
  ])('are marked one by one: %s', async (_, selector, part, user) => {
    document.documentElement.dir = 'rtl'
    await draw(part, { locale: 'ar', prepare: (service) => (service.user = user) })
    expect(languageOf(selector)).toEqual(['en', 'ltr'])
  })

  it('are explained once, in that language', async () => {
    await draw(<LoginForm />, { locale: 'ar' })
    expect(notice()?.getAttribute('lang')).toBe('ar')
    expect(notice()?.getAttribute('dir')).toBe('rtl')
    expect(statusText()).toContain('تعذّر تحميل النصوص العربية')
  })

  it('offer a reload that asks before input is lost', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    vi.stubGlobal('confirm', () => false)
    await draw(<LoginForm />, { locale: 'ar' })
    const reloadButton = one('[data-svc-part=texts-not-loaded] button')
    type('Email address', 'ada@example.com')
    reloadButton.click()
    expect(reload).not.toHaveBeenCalled()
    type('Email address', '')
    vi.stubGlobal('confirm', () => true)
    reloadButton.click()
    expect(reload).toHaveBeenCalledOnce()
  })
})

describe('parts in a page of a language without texts', () => {
  it('are English by lang and dir, without an explanation', async () => {
    document.documentElement.dir = 'rtl'
    await draw(<LoginForm />, { locale: 'he' })
    expect(languageOf('form')).toEqual(['en', 'ltr'])
    expect(notice()).toBeNull()
  })
})
