// The table of docs/events.md, from the declaration of the events.
import { docBefore, moduleAt, plainText } from './exports.mjs'
import { code, table } from './generated.mjs'
import { textOf } from './members.mjs'

export const path = 'docs/events.md'

const DECLARATIONS = 'build/src/contracts/panel-events.d.ts'

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  const rows = declaration('PanelEvents').body.body.map((member) => [
    code(member.key.name ?? member.key.value),
    textOf(docBefore(DECLARATIONS, member)),
    fieldsOf(member.typeAnnotation.typeAnnotation).join(', '),
  ])
  return { events: table(['event', 'meaning', 'payload'], rows) }
}

function declaration(name) {
  return moduleAt(DECLARATIONS)
    .program.body.map((node) => node.declaration ?? node)
    .find(({ id }) => id?.name === name)
}

/** Returns the fields of a literal, of a named interface with what it extends, or of several. */
function fieldsOf({ types, members, typeName, expression }) {
  if (types !== undefined) return types.flatMap(fieldsOf)
  if (members !== undefined) return members.map(fieldOf)
  const { body, extends: above } = declaration((typeName ?? expression).name)
  return [...above.flatMap(fieldsOf), ...body.body.map(fieldOf)]
}

function fieldOf({ key, typeAnnotation }) {
  return code(`${key.name}: ${plainText(DECLARATIONS, typeAnnotation.typeAnnotation)}`)
}
