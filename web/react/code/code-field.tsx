import { useLayoutEffect } from 'react'
import { Field, type FieldProps } from '../parts/field.tsx'
import { useText } from '../session/provider.tsx'
import type { Text } from '../texts/texts.ts'
import type { CodeKind } from './use-code.ts'

export interface CodeFieldProps
  extends Pick<FieldProps, 'invalid'>, Required<Pick<FieldProps, 'input'>> {
  readonly kind: CodeKind
  readonly digits: number | null
}

/** Renders the field for either kind of code; takes the focus when it appears. */
export function CodeField({ kind, digits, ...field }: CodeFieldProps) {
  const text = useText()
  const { input } = field
  useLayoutEffect(() => input.current?.focus(), [input])
  return <Field {...field} {...fieldOf(kind, digits, text)} name="code" type="text" dir="ltr" />
}

/** Returns the input's attributes. A recovery code has letters, and no app fills it in. */
function fieldOf(kind: CodeKind, digits: number | null, text: Text) {
  switch (kind) {
    case 'app': {
      const hint =
        digits === null ? text('ui.code.hint') : text('ui.code.hint_digits', { count: digits })
      return {
        label: text('ui.code.label'),
        hint,
        inputMode: 'numeric',
        autoComplete: 'one-time-code',
      } as const
    }
    case 'recovery':
      return {
        label: text('ui.code.recovery_label'),
        hint: text('ui.code.recovery_hint'),
        inputMode: 'text',
        autoComplete: 'off',
      } as const
  }
}
