// Trees of other commits, beside the working tree.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Clones a commit of the repository in the current folder. Its packages are those of the repository if
 * both lock files are equal; others are installed.
 *
 * @param {string} ref
 * @param {string} folder Is emptied.
 * @returns {string} the commit
 */
export function cloneOf(ref, folder) {
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  git('clone', '--quiet', '--shared', '--no-checkout', '.', folder)
  git('-C', folder, 'checkout', '--quiet', '--detach', commit)
  if (lockOf(folder) === lockOf('.'))
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  else npm(folder, 'ci', '--workspaces=false', '--ignore-scripts', '--no-audit', '--no-fund')
  return commit
}

/** Runs git in the current folder. @returns what it prints */
export function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** Runs npm in a folder. Its output is that of the error if it fails. @returns what it prints */
export function npm(folder, ...args) {
  return execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim()
}

function lockOf(folder) {
  return readFileSync(join(folder, 'package-lock.json'), 'utf8')
}
