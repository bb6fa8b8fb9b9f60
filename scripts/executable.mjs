import { accessSync, constants } from 'node:fs'

/** Whether a path leads to a program that can be run. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
