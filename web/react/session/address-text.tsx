import type { MessageKey } from '../../../src/rules/messages.ts'
import { useText } from './provider.tsx'
import { untranslated } from '../parts/untranslated.ts'

/** No text contains this character, so it marks where the address belongs. */
const PLACE = '\u0000'

export interface AddressTextProps {
  readonly message: MessageKey
  readonly email: string
}

/**
 * Renders a text with an email address in it. The address keeps its own direction and is not
 * translated.
 */
export function AddressText({ message, email }: AddressTextProps) {
  const [before = '', after = ''] = useText()(message, { email: PLACE }).split(PLACE)
  return (
    <>
      {before}
      <bdi dir="ltr" ref={untranslated} data-svc-part="address">
        {email}
      </bdi>
      {after}
    </>
  )
}
