import { Button } from './button.tsx'
import { useText } from './provider.tsx'

/** Loads the page again. */
export function ReloadButton() {
  const text = useText()
  return (
    <Button part="reload" onPress={() => location.reload()}>
      {text('ui.reload')}
    </Button>
  )
}
