import { useState } from 'react'
import { useText } from '../../src/react/provider.tsx'
import { usePage } from '../page.ts'
import { chosenTheme, chooseTheme, THEMES } from '../theme.ts'

/** Renders the choice between the themes; it takes effect at once. */
export function ThemeChoice() {
  const text = useText()
  const { base } = usePage()
  const [chosen, setChosen] = useState(chosenTheme)
  return (
    <fieldset className="svc-theme">
      <legend>{text('ui.theme')}</legend>
      {THEMES.map((theme) => (
        <label key={theme}>
          <input
            type="radio"
            name="svc-theme"
            checked={theme === chosen}
            onChange={() => {
              chooseTheme(theme, base)
              setChosen(theme)
            }}
          />
          {text(`ui.theme.${theme}`)}
        </label>
      ))}
    </fieldset>
  )
}
