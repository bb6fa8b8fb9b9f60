import type { MessageKey } from '../rules/messages.ts'
import { useText } from './provider.tsx'
import { untranslated } from './untranslated.ts'

/** No text has it, so that it shows where the address goes. */
const PLACE = '\u0000'

/** A text with an email address in it, which keeps its own direction and is not translated. */
export function AddressText({ id, email }: { readonly id: MessageKey; readonly email: string }) {
  const [before = '', after = ''] = useText()(id, { email: PLACE }).split(PLACE)
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
