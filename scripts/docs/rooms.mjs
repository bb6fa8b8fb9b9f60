// The table of the rooms in CONTRIBUTING.md, from the import law.
import { rooms } from '../rooms.mjs'
import { code, table } from './generated.mjs'

export const path = 'CONTRIBUTING.md'

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  const rows = Object.entries(rooms).map(([room, { holds, mayImport }]) => [
    code(room),
    holds,
    mayImport.length === 0 ? 'nothing' : mayImport.map(inWords).join(', '),
  ])
  return { rooms: table(['room', 'what is in it', 'may import'], rows) }
}

function inWords(name) {
  return name.startsWith('type:') ? `types of ${code(name.slice('type:'.length))}` : code(name)
}
