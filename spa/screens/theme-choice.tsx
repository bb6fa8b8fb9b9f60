import { useId, useState } from 'react'
import { useText } from '../../src/react/provider.tsx'
import { usePage } from '../page.ts'
import { chosenTheme, chooseTheme, THEMES } from '../../src/react/theme.ts'
import type { Theme } from '../../src/react/theme.ts'

/**
 * Renders the choice between the themes; it takes effect at once. The choices are buttons: the
 * router takes a changed input for an unsaved one, and would not load a newer version of the page.
 */
export function ThemeChoice() {
  const text = useText()
  const { base } = usePage()
  const titleId = useId()
  const [chosen, setChosen] = useState(chosenTheme)
  function choose(theme: Theme) {
    chooseTheme(theme, base)
    setChosen(theme)
  }
  return (
    <div role="group" aria-labelledby={titleId} className="svc-theme">
      <p id={titleId}>{text('ui.theme')}</p>
      {THEMES.map((theme) => (
        <button
          key={theme}
          type="button"
          aria-pressed={theme === chosen}
          onClick={() => choose(theme)}
        >
          {text(`ui.theme.${theme}`)}
        </button>
      ))}
    </div>
  )
}
