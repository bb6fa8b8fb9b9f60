import type { MouseEvent } from 'react'
import type { FieldProblem } from '../../client/client.ts'

export interface FieldLinksProps {
  readonly problems: readonly FieldProblem[]
}

/** Renders the errors of fields inside an `AlertBox`: each message links to its field. */
export function FieldLinks({ problems }: FieldLinksProps) {
  return (
    <ul role="list" data-svc-part="alert-links">
      {problems.map(({ id, message }) => (
        <li key={id}>
          <a href={`#${id}`} onClick={(event) => focus(event, id)}>
            {message}
          </a>
        </li>
      ))}
    </ul>
  )
}

function focus(event: MouseEvent, id: string): void {
  // Following the link would change the address of the page.
  event.preventDefault()
  document.getElementById(id)?.focus()
}
