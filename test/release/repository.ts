import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const SCRIPT = resolve('scripts/release.mjs')
/** Nothing of the machine's own settings of git counts. */
const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

const MANIFEST = {
  name: '@acme/lamp',
  version: '0.3.0',
  description: 'A lamp.',
  license: 'MIT',
  type: 'module',
  homepage: 'https://lamp.acme.dev',
  bugs: { url: 'https://lamp.acme.dev/bugs' },
  repository: { type: 'git', url: 'git+https://git.acme.dev/lamp.git' },
  files: ['dist'],
  main: './dist/index.js',
  types: './dist/index.d.ts',
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  scripts: { 'build:code': 'cp -r lib dist', prepack: 'npm run build:code' },
}

const FILES = {
  '.gitignore': 'node_modules\nbuild\ndist\n',
  'package.json': JSON.stringify(MANIFEST, null, 2),
  'package-lock.json': JSON.stringify({
    name: MANIFEST.name,
    version: MANIFEST.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: MANIFEST.name, version: MANIFEST.version, license: 'MIT' } },
  }),
  'CHANGELOG.md': changelogWith('### Added\n\n- `light` turns the lamp on.'),
  'lib/index.js': 'export function light() {}\n',
  'lib/index.d.ts': 'export declare function light(): void;\n',
}

/** A repository of a small package, without a release, and with one commit. */
export class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), 'released-'))

  constructor() {
    this.write(FILES)
    symlinkSync(resolve('node_modules'), join(this.folder, 'node_modules'))
    this.git('init', '--quiet', '--initial-branch=main')
    this.commit('begin')
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(this.folder, dirname(path)), { recursive: true })
      writeFileSync(join(this.folder, path), text)
    }
  }

  commit(message: string): void {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--allow-empty', '--message', message)
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, env: ENVIRONMENT, encoding: 'utf8' })
  }

  /** Gives the branch an upstream, a bare repository beside this one. */
  addRemote(): string {
    const remote = `${this.folder}-remote`
    this.git('clone', '--quiet', '--bare', '.', remote)
    this.git('remote', 'add', 'origin', remote)
    this.git('push', '--quiet', '--set-upstream', 'origin', 'main')
    return remote
  }

  release(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
    const options = { cwd: this.folder, env: ENVIRONMENT, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], options)
    return { status, stdout, stderr }
  }
}

export function changelogWith(entries: string): string {
  return `# Changelog\n\n## Unreleased\n\n${entries}\n`
}
