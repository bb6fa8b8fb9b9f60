import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Returns `true` if programs can be installed without a password: as root, on Debian. */
export function canInstall() {
  const isRoot = process.getuid?.() === 0
  return isRoot && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
}

/** Installs Debian's packages, and logs it. */
export function install(...packages) {
  console.log(`${packages[0]}: not found; installing it with apt-get`)
  const started = performance.now()
  apt(['update', '-qq'])
  apt(['install', '-y', '-qq', '--no-install-recommends', ...packages])
  console.log(`${packages[0]}: installed in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
