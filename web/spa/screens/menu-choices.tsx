import { useState, type ReactNode } from 'react'
import { Icon } from '../../react/parts/icon.tsx'
import { useLocale, useText } from '../../react/session/provider.tsx'
import { LOCALES } from '../../react/texts/texts.ts'
import { usePage } from '../page.ts'
import { ICONS } from './icons.ts'
import { chooseLanguage, chosenTheme, chooseTheme, THEMES } from '../../react/parts/choices.ts'
import type { Theme } from '../../react/parts/choices.ts'
import { mayLoseInput } from '../../react/session/reload-button.tsx'
import { useElementId } from '../../react/parts/element-id.ts'

/** Renders the choice between the themes; it takes effect at once. */
export function ThemeChoice() {
  const text = useText()
  const { base } = usePage()
  const [chosen, setChosen] = useState(chosenTheme)
  function choose(theme: Theme) {
    chooseTheme(theme, base)
    setChosen(theme)
  }
  return (
    <Group title={text('ui.theme')} icon={ICONS.theme} shape="row">
      {THEMES.map((theme) => (
        <Choice key={theme} isChosen={theme === chosen} onChoose={() => choose(theme)}>
          {text(`ui.theme.${theme}`)}
        </Choice>
      ))}
    </Group>
  )
}

/** Renders the choice between the languages, each by its own name; it loads the page again. */
export function LanguageChoice() {
  const text = useText()
  const { base } = usePage()
  const current = useLocale()
  function choose(language: string) {
    if (!mayLoseInput(text)) return
    chooseLanguage(language, base)
    location.reload()
  }
  return (
    <Group title={text('ui.language')} icon={ICONS.language} shape="list">
      {LOCALES.map((language) => (
        <Choice
          key={language}
          lang={language}
          isChosen={language === current}
          onChoose={() => choose(language)}
        >
          {nameOf(language)}
        </Choice>
      ))}
    </Group>
  )
}

/** Returns the name of a language in itself, as it begins a label. */
function nameOf(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

interface GroupProps {
  readonly title: string
  readonly icon: string
  readonly shape: 'row' | 'list'
  readonly children: ReactNode
}

function Group({ title, icon, shape, children }: GroupProps) {
  const titleId = useElementId()
  return (
    <div role="group" aria-labelledby={titleId} className="svc-choice" data-shape={shape}>
      <p id={titleId}>
        <Icon path={icon} size={20} />
        {title}
      </p>
      {children}
    </div>
  )
}

interface ChoiceProps {
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly lang?: string
  readonly children: string
}

/**
 * Renders a choice as a button: the router takes a changed input for an unsaved one, and would not
 * load a newer version of the page.
 */
function Choice({ isChosen, onChoose, lang, children }: ChoiceProps) {
  return (
    <button type="button" lang={lang} aria-pressed={isChosen} onClick={onChoose}>
      {children}
      <Icon path={ICONS.check} size={16} />
    </button>
  )
}
