import { useEffect } from 'react'
import { Field } from './field.tsx'
import type { FieldProps } from './field.tsx'
import { useAnnounce, useText } from './provider.tsx'

export interface PasswordFieldProps extends Pick<
  FieldProps,
  'id' | 'input' | 'error' | 'invalid' | 'describedBy'
> {
  readonly shown: Shown
  readonly onShown: (shown: Shown) => void
}

/** Whether the characters of a password can be read. */
export type Shown = 'shown' | 'hidden'

/** The password, with a button that shows and hides it. */
export function PasswordField({ shown, onShown, id, ...field }: PasswordFieldProps) {
  const text = useText()
  const announce = useAnnounce()
  const next = shown === 'shown' ? 'hidden' : 'shown'
  const verb = shown === 'shown' ? 'hide' : 'show'
  useEffect(() => {
    // A page that comes back from the browser's cache hides what was shown.
    const hide = () => onShown('hidden')
    globalThis.addEventListener('pageshow', hide)
    return () => globalThis.removeEventListener('pageshow', hide)
  }, [onShown])

  function toggle() {
    onShown(next)
    announce(text(`ui.password.${next}`))
  }
  return (
    <Field
      {...field}
      id={id}
      name="password"
      label={text('ui.login.password')}
      type={shown === 'shown' ? 'text' : 'password'}
      autoComplete="current-password"
    >
      <button
        type="button"
        data-svc-part="password-toggle"
        aria-controls={id}
        aria-label={text(`ui.password.${verb}`)}
        onClick={toggle}
      >
        {text(`ui.password.${verb}_short`)}
      </button>
    </Field>
  )
}
