import { Button } from '../parts/button.tsx'
import { useText } from './provider.tsx'

/** Renders the button that reloads the page. */
export function ReloadButton() {
  const text = useText()
  return (
    <Button part="reload" onPress={() => location.reload()}>
      {text('ui.reload')}
    </Button>
  )
}
