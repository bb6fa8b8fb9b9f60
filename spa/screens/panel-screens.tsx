import type { PanelUser } from '../../src/client/client.ts'
import { useText, untranslated } from '../../src/react/react.ts'
import { usePage } from '../page.ts'

/** Who is here. */
export function Home({ user: { name, email } }: { readonly user: PanelUser }) {
  const text = useText()
  return (
    <>
      <p className="svc-intro">{text('ui.home.intro')}</p>
      <dl className="svc-facts">
        {name !== null && (
          <div>
            <dt>{text('ui.home.name')}</dt>
            <dd>
              <bdi ref={untranslated}>{name}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{text('ui.home.email')}</dt>
          <dd>
            <bdi dir="ltr" ref={untranslated}>
              {email}
            </bdi>
          </dd>
        </div>
      </dl>
    </>
  )
}

/** An address that the panel has no page for. */
export function NotFound() {
  const text = useText()
  const { base } = usePage()
  return (
    <>
      <p className="svc-intro">{text('ui.not_found.text')}</p>
      <p>
        <a className="svc-action" href={base}>
          {text('ui.not_found.link')}
        </a>
      </p>
    </>
  )
}
