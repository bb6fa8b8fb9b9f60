import type { ReactNode } from 'react'
import type { MessageKey } from '../../../src/rules/messages.ts'
import { useText } from './provider.tsx'
import { undirected } from '../parts/isolated.ts'
import { untranslated } from '../parts/untranslated.ts'

/** No text contains this character, so it marks where the value belongs. */
const PLACE = '\u0000'

export interface TextAroundProps {
  readonly message: MessageKey
  /** Name of the value that the children are in place of. */
  readonly value: 'email' | 'name'
  readonly children: ReactNode
}

/** Renders a text with an element in place of its value. */
export function TextAround({ message, value, children }: TextAroundProps) {
  const [before = '', after = ''] = useText()(message, { [value]: PLACE }).split(PLACE)
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}

export interface AddressTextProps {
  readonly message: MessageKey
  readonly email: string
}

/**
 * Renders a text with an email address in it. The address keeps its own direction and is not
 * translated.
 */
export function AddressText({ message, email }: AddressTextProps) {
  return (
    <TextAround message={message} value="email">
      <bdi dir="ltr" ref={untranslated} data-svc-part="address">
        {undirected(email)}
      </bdi>
    </TextAround>
  )
}
