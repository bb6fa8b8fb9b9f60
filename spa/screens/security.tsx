import { useText } from '../../src/react/react.ts'

/** S4: the second factor. */
export function Security() {
  const text = useText()
  return (
    <section aria-labelledby="svc-two-factor">
      <h2 id="svc-two-factor">{text('ui.tf.name')}</h2>
    </section>
  )
}
