// The list of the rooms in CONTRIBUTING.md, from the import law.
import { rooms } from '../rooms.mjs'
import { code } from './generated.mjs'

export const path = 'CONTRIBUTING.md'

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  const entries = Object.entries(rooms).map(([room, { holds, mayImport }]) => {
    const imported = mayImport.length === 0 ? 'no other room' : mayImport.map(inWords).join(', ')
    return `- **${room}**: ${holds}.\n  Imports ${imported}.`
  })
  return { rooms: entries.join('\n') }
}

function inWords(name) {
  return name.startsWith('type:') ? `types of ${code(name.slice('type:'.length))}` : code(name)
}
