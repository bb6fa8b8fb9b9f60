import { readFileSync } from 'node:fs'
import { parse, parseAllDocuments } from 'yaml'

/** Returns the text of a file of docs/deploy. */
export function deployFile(name: string): string {
  return readFileSync(`docs/deploy/${name}`, 'utf8')
}

/** A service of the Compose file, as far as tests read it. */
interface ComposeService {
  readonly environment: Readonly<Record<string, string>>
  readonly command?: readonly string[]
  readonly secrets?: readonly string[]
  readonly networks: { readonly panel: { readonly ipv4_address: string } }
  readonly stop_grace_period?: string
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

export const compose: Compose = parse(deployFile('compose.yaml'), { merge: true })

/** Returns a service of the Compose file. */
export function serviceOf(name: string): ComposeService {
  const service = compose.services[name]
  if (service === undefined) throw new Error(`compose.yaml has no service ${name}`)
  return service
}

interface Container {
  readonly command: readonly string[]
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string } }
}

interface Pod {
  readonly spec: { readonly containers: readonly Container[] }
}

/** An object of Kubernetes, as far as tests read it. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: {
    readonly template?: Pod
    readonly jobTemplate?: { readonly spec: { readonly template: Pod } }
  }
}

export const manifests: readonly Manifest[] = parseAllDocuments(deployFile('kubernetes.yaml')).map(
  (document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return document.toJS({ maxAliasCount: 0 })
  },
)

/** Returns the only container of the pods of a kind. */
export function containerOf(kind: string): Container {
  const spec = manifests.find((one) => one.kind === kind)?.spec
  const [container] = (spec?.template ?? spec?.jobTemplate?.spec.template)?.spec.containers ?? []
  if (container === undefined) throw new Error(`kubernetes.yaml has no container of a ${kind}`)
  return container
}

const dockerfile = deployFile('app/Dockerfile').replaceAll('\\\n', ' ')

/** Returns the last argument of an instruction of the Dockerfile. */
export function instruction(name: string): string {
  const found = [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].at(-1)?.[1]
  if (found === undefined) throw new Error(`the Dockerfile has no ${name}`)
  return found
}

/** Returns the program and the arguments of an instruction that has them as a list. */
export function argumentsOf(name: string): readonly string[] {
  return JSON.parse(instruction(name).replace(/^[^[]*/, ''))
}

/** Returns the values of a setting of the unit. */
export function unitSettings(name: string): readonly string[] {
  const found = deployFile('panel.service').matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))
  return Array.from(found, ([, value = '']) => value)
}
