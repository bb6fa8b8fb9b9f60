import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fakeTwoFactor } from '@svc/auth/testing'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { GenericSchema } from 'valibot'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jsonSchemaOf } from '../../build/src/http/routes/json-schema.js'
import { openApiDocument } from '../../build/src/http/routes/openapi.js'
import { refusalBody } from '../../src/rules/refusals.ts'
import { API_PATH, type RouteName } from '../../src/rules/paths.ts'
import { routes, routeTable } from '../../src/rules/routes.ts'
import type { Answer, Browser } from '../support/browser.ts'
import { startService } from '../support/service.ts'

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'])
const TABLE = routes
const BOUND = ['with a second factor', 'without one'] as const

describe.each(BOUND)('GET /svc/api/openapi.json, %s', (bound) => {
  const served = TABLE.filter(
    ({ layer }) =>
      layer === undefined || (layer === 'two-factor' && bound === 'with a second factor'),
  )

  it('is an OpenAPI document without warnings', async () => {
    const { document } = await documentOf(bound)
    expect(await lint(document)).toEqual([])
  }, 60_000)

  it('has exactly the routes that are served', async () => {
    const { document } = await documentOf(bound)
    const documented = operationsOf(document).map(
      ({ method, path, operation }) => `${operation.operationId}: ${method.toUpperCase()} ${path}`,
    )
    const expected = served.map(({ name, method, path }) => `${name}: ${method} ${path}`)
    expect(documented.toSorted()).toEqual(expected.toSorted())
  })

  it('describes every operation, and every group of operations', async () => {
    const { document } = await documentOf(bound)
    const described = document.tags.filter(({ description }) => description !== '')
    const used = new Set<string>()
    for (const { operation } of operationsOf(document)) {
      const { operationId, summary, description, tags, parameters, responses } = operation
      for (const text of [
        summary,
        description,
        ...parameters.map((one) => resolved(document, one).description),
      ])
        expect(text, operationId).toMatch(/^[A-Z].{5,}/s)
      for (const [status, answer] of Object.entries(responses))
        expect(answer.description, `${operationId} ${status}`).toMatch(/^[A-Z].{5,}/s)
      expect(tags, operationId).toHaveLength(1)
      for (const tag of tags) used.add(tag)
    }
    expect(new Set(described.map(({ name }) => name))).toEqual(used)
  })

  it('has an example of every body, which its schema accepts', async () => {
    const { document } = await documentOf(bound)
    for (const { operation } of operationsOf(document)) {
      const { operationId, requestBody, responses } = operation
      const bodies = [requestBody, ...Object.values(responses)].flatMap((body) =>
        Object.values(body?.content ?? {}),
      )
      for (const { schema, example } of bodies) {
        expect(example, operationId).toBeDefined()
        const own = '$ref' in schema ? document.components.schemas.Refusal : schema
        expect(faultsOf(own as object, example), operationId).toEqual([])
      }
    }
  })

  it('has the redirect of a verification link as its success', async () => {
    const { document } = await documentOf(bound)
    const { responses } = operationNamed(document, 'svc.email.verify').operation
    expect(Object.keys(responses).filter((status) => /^[23]/.test(status))).toEqual(['302'])
    expect(responses['302']).toHaveProperty('headers.Location')
  })

  it('names the address that the routes are at', async () => {
    const { document, url } = await documentOf(bound)
    expect(document.servers).toEqual([{ url: url + API_PATH }])
  })

  it('describes the bodies by the schemas that requests are checked with', async () => {
    const { document } = await documentOf(bound)
    for (const { operation } of operationsOf(document)) {
      const { request, answer: success } = routeTable[operation.operationId]
      const { required, content } = operation.requestBody ?? { required: false, content: null }
      expect(content?.['application/json']?.schema ?? null).toEqual(schemaOf(request, 'input'))
      expect(required).toBe(request !== null && request.type !== 'optional')
      const [status, done] = Object.entries(operation.responses).find(
        ([code, { content }]) => /^[23]/.test(code) && (success === null || content !== undefined),
      ) ?? ['no success', {}]
      expect(status).toMatch(/^[23]/)
      expect(done.content?.['application/json']?.schema ?? null, status).toEqual(
        schemaOf(success, 'output'),
      )
    }
    expect(document.components.schemas.Refusal).toEqual(schemaOf(refusalBody, 'output'))
  })
})

/** The request and its visitor for each success; `{}` stands for an id. */
const SUCCESSES: readonly (readonly [RouteName, unknown?])[] = [
  ['openapi'],
  ['csrf'],
  ['login', { email: 'u1@x.test', password: 'correct horse battery staple' }],
  ['user'],
  ['two-factor'],
  ['two-factor.setup'],
  ['two-factor.confirm', { code: '123456' }],
  ['two-factor.codes-seen'],
  ['two-factor.disable'],
  ['svc.email.send'],
  ['notifications'],
  ['notifications.unread-count'],
  ['notifications.read'],
  ['notifications.read-all'],
  ['logout'],
]

describe('The document of two addresses', () => {
  it('is built once and shared, except for the address', () => {
    const [one, two] = ['https://one.test', 'https://two.test'].map((url) =>
      openApiDocument(url, new Set(['two-factor'])),
    )
    expect(one?.['paths']).toBe(two?.['paths'])
    expect(one?.['servers']).not.toEqual(two?.['servers'])
  })
})

describe('The parameters of the document', () => {
  it('are what the paths fill in, what a link carries, and the device cookie of a login', async () => {
    const { document } = await documentOf('with a second factor')
    for (const { path, operation } of operationsOf(document)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`)
      const inQuery =
        operation.operationId === 'svc.email.verify' ? ['query expires', 'query signature'] : []
      const isLogin = operation.operationId.startsWith('login')
      const inCookie = isLogin ? ['cookie svc_device'] : []
      expect(
        operation.parameters.map((one) => {
          const { in: where, name, required } = resolved(document, one)
          expect(required, `${path} ${name}`).toBe(where !== 'cookie')
          return `${where} ${name}`
        }),
        path,
      ).toEqual([...inPath, ...inQuery, ...inCookie])
    }
  })
})

describe('The headers and cookies of the document', () => {
  it('are exactly those of successful answers', async () => {
    const { document, service, una } = await documentOf('with a second factor')
    for (const { name, answer } of await succeed(document, service, una))
      expectDocumented(document, name, String(answer.status), answer)
  })

  it('are exactly those of refusals of a limited route', async () => {
    const { document, una } = await documentOf('without one')
    await una.get('/svc/api/csrf-cookie')
    const keys = new Set<string>()
    for (let count = 0; count < 11; count += 1) {
      const answer = await una.post('/svc/api/login', { email: 'u1@x.test', password: 'wrong' })
      keys.add(answer.json.key)
      expectDocumented(document, 'login', '4XX', answer)
    }
    expect(keys).toEqual(
      new Set(['svc::auth.failed', 'svc::auth.throttle', 'svc::auth.too_many_requests']),
    )
  })

  it('require the token in X-XSRF-TOKEN for every unsafe method', async () => {
    const { document } = await documentOf('with a second factor')
    const { token } = document.components.securitySchemes
    expect(token).toMatchObject({ in: 'header', name: 'X-XSRF-TOKEN' })
    for (const { method, operation } of operationsOf(document)) {
      const isAsked = operation.security.every((scheme) => 'token' in scheme)
      expect(isAsked, operation.operationId).toBe(method !== 'get')
    }
  })

  it('have the cookie names of the scheme of the address', () => {
    const [https, http] = ['https://one.test', 'http://localhost:3000'].map((url) =>
      JSON.stringify(openApiDocument(url, new Set(['two-factor']))),
    )
    for (const name of ['__Host-Http-svc_session', '__Host-svc_device']) {
      expect(https).toContain(name)
      expect(http).not.toContain(name)
    }
  })
})

describe('The answers of the service', () => {
  it('match the document, read as JSON Schema', async () => {
    const { document, service, una } = await documentOf('with a second factor')
    for (const { name, operation, answer } of await succeed(document, service, una)) {
      const documented = operation.responses[answer.status]
      expect(documented, `${name} answered ${answer.status} ${answer.text}`).toBeDefined()
      const schema = documented?.content?.['application/json']?.schema ?? null
      if (schema === null) expect(answer.text, name).toBe('')
      else expect(faultsOf(schema, answer.json), name).toEqual([])
    }
  })

  it('include no success that the document leaves out', async () => {
    const { document } = await documentOf('with a second factor')
    // docs/http-api.md, "Routes": 204 where there is nothing to verify.
    expect(Object.keys(operationNamed(document, 'svc.email.send').operation.responses)).toEqual(
      expect.arrayContaining(['202', '204']),
    )
  })
})

type Started = Awaited<ReturnType<typeof documentOf>>

/** Sends a request to each route that succeeds. */
async function succeed(
  document: Document,
  service: Started['service'],
  browser: Browser,
): Promise<readonly { name: RouteName; operation: Operation; answer: Answer }[]> {
  const owner = { tenant: null, userId: 'u1' }
  const entry = { type: 'note', title: 'Hello', body: null, url: '/orders/7' }
  const id = '0b0e6d3c-64b5-4f0e-9b57-2c8f0f6a1c1d'
  await service.stores.notifications.add(owner, { ...entry, id, createdAt: service.clock.now() })
  const answers = []
  for (const [name, body] of SUCCESSES) {
    const { method, path, operation } = operationNamed(document, name)
    const answer = await browser.send(method.toUpperCase(), API_PATH + path.replace('{id}', id), {
      ...(body !== undefined && { body }),
    })
    answers.push({ name, operation, answer })
  }
  return answers
}

/** Headers that mean something to a client of one route, not those that every answer has. */
const OF_A_ROUTE =
  /^(?:set-cookie|location|retry-after|x-(?!content-type-options|accel-expires).*)$/

function expectDocumented(
  document: Document,
  name: RouteName,
  status: string,
  { headers }: Answer,
): void {
  const { operation } = operationNamed(document, name)
  const documented = new Map(
    Object.entries(operation.responses[status]?.headers ?? {}).map(([header, one]) => [
      header.toLowerCase(),
      resolved(document, one).description,
    ]),
  )
  const sent = Object.keys(headers).filter((header) => OF_A_ROUTE.test(header))
  expect([...documented.keys()], `${name} ${status}`).toEqual(expect.arrayContaining(sent))
  for (const cookie of headers['set-cookie'] ?? [])
    expect(documented.get('set-cookie'), name).toContain(cookie.slice(0, cookie.indexOf('=')))
}

interface Reference {
  readonly $ref: string
}

function resolved<T extends object>({ components }: Document, one: T | Reference): T {
  if (!('$ref' in one)) return one
  const [, , group = '', name = ''] = one.$ref.split('/')
  const found = (components as unknown as Record<string, Record<string, T>>)[group]?.[name]
  if (found === undefined) throw new Error(`the document has no ${one.$ref}`)
  return found
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required: boolean
  readonly description: string
}

interface Content {
  readonly [type: string]: {
    readonly schema: object
    readonly example?: unknown
  }
}
interface Operation {
  readonly operationId: RouteName
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly parameters: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly headers?: Readonly<Record<string, { readonly description: string } | Reference>>
        readonly content?: Content
      }
    >
  >
}
interface Document {
  readonly servers: unknown
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: { readonly Refusal: unknown }
    readonly securitySchemes: { readonly token: unknown }
  }
}

async function documentOf(bound: (typeof BOUND)[number]) {
  const twoFactor = fakeTwoFactor()
  const service = await startService(bound === 'with a second factor' ? { twoFactor } : {})
  const una = service.browser()
  const { status, json } = await una.get('/svc/api/openapi.json')
  expect(status).toBe(200)
  return { document: json as Document, url: service.url, service, una }
}

function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ method, path, operation })),
  )
}

function operationNamed(document: Document, name: RouteName) {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === name)
  if (found === undefined) throw new Error(`the document has no operation ${name}`)
  return found
}

function schemaOf(schema: GenericSchema | null, typeMode: 'input' | 'output') {
  if (schema === null) return null
  return JSON.parse(JSON.stringify(jsonSchemaOf(schema, typeMode))) as unknown
}

const ajv = new Ajv2020({
  allErrors: true,
  formats: { uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, 'date-time': true },
})

/** Returns the errors of a value against a JSON Schema. */
function faultsOf(schema: object, value: unknown): readonly string[] {
  ajv.validate(schema, value)
  return ajv.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? []
}

const REDOCLY = fileURLToPath(
  new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url),
)
const CONFIG = fileURLToPath(new URL('redocly.yaml', import.meta.url))

interface Problem {
  readonly severity: string
  readonly ruleId: string
  readonly message: string
  readonly location: readonly { readonly pointer?: string }[]
}

/** Returns the findings of the linter, errors and warnings alike. */
async function lint(document: Document): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const args = [REDOCLY, 'lint', file, '--config', CONFIG, '--format', 'json']
  // Nothing is asked of the network: neither for a newer version nor to count its users.
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    CI: 'true',
  }
  // It ends with 1 where it has found an error; what it found is on standard output all the same.
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    readonly problems: readonly Problem[]
  }
  return problems.map(
    ({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId} at ${location[0]?.pointer ?? ''}: ${message}`,
  )
}
