import { accessSync, constants } from 'node:fs'

/** Returns `true` if a path leads to an executable program. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
