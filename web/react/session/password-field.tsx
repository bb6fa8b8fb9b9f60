import { useEffect } from 'react'
import { useFieldId } from '../parts/element-id.ts'
import { Field, type FieldProps } from '../parts/field.tsx'
import { useAnnounce, useText } from './provider.tsx'

export interface PasswordFieldProps extends Omit<FieldProps, 'name' | 'type' | 'children'> {
  readonly shown: Shown
  readonly onShown: (shown: Shown) => void
}

/** Visibility of the password's characters. */
export type Shown = 'shown' | 'hidden'

/** Renders the password field, with a button that shows and hides the password. */
export function PasswordField({ shown, onShown, ...field }: PasswordFieldProps) {
  const text = useText()
  const id = useFieldId('password')
  const announce = useAnnounce()
  const next = shown === 'shown' ? 'hidden' : 'shown'
  const verb = shown === 'shown' ? 'hide' : 'show'
  useEffect(() => {
    // A page restored from the back/forward cache must not show the password.
    const hide = () => onShown('hidden')
    globalThis.addEventListener('pageshow', hide)
    return () => globalThis.removeEventListener('pageshow', hide)
  }, [onShown])

  function toggle() {
    onShown(next)
    announce(text(`ui.password.${next}`))
  }
  return (
    <Field {...field} name="password" type={shown === 'shown' ? 'text' : 'password'}>
      <button
        type="button"
        data-svc-part="password-toggle"
        aria-controls={id}
        aria-label={text(`ui.password.${verb}`)}
        onClick={toggle}
      >
        <span key={verb}>{text(`ui.password.${verb}_short`)}</span>
      </button>
    </Field>
  )
}
