// The table of docs/events.md, from the declaration of the events.
import { docBefore, moduleAt, plainText } from './exports.mjs'
import { code, table } from './generated.mjs'
import { textOf } from './members.mjs'

export const path = 'docs/events.md'

const DECLARATIONS = 'build/src/contracts/panel-events.d.ts'

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  const events = moduleAt(DECLARATIONS)
    .program.body.map((node) => node.declaration ?? node)
    .find(({ id }) => id?.name === 'PanelEvents')
  const rows = events.body.body.map((member) => [
    code(member.key.name ?? member.key.value),
    textOf(docBefore(DECLARATIONS, member)),
    payloadOf(member.typeAnnotation.typeAnnotation),
  ])
  return { events: table(['event', 'meaning', 'payload'], rows) }
}

function payloadOf({ members }) {
  const fields = members.map(({ key, typeAnnotation }) =>
    code(`${key.name}: ${plainText(DECLARATIONS, typeAnnotation.typeAnnotation)}`),
  )
  return fields.join(', ')
}
