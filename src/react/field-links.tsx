import type { MouseEvent } from 'react'
import type { FieldProblem } from '../client/client.ts'

export interface FieldLinksProps {
  readonly problems: readonly FieldProblem[]
}

/** What is wrong with fields, inside an `AlertBox`: each message leads to its field. */
export function FieldLinks({ problems }: FieldLinksProps) {
  return (
    <ul data-svc-part="alert-links">
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
  // The address of the page stays as it is.
  event.preventDefault()
  document.getElementById(id)?.focus()
}
