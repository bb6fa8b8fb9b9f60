import { safeParse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { matchesAt, pathOf } from '../../build/src/http/wire/router.js'
import { pages } from '../../scripts/docs/pages.mjs'
import { refusalBody, refusals, type RefusalKey } from '../../src/rules/refusals.ts'
import type { RouteName } from '../../src/rules/paths.ts'
import { routes, routeTable } from '../../src/rules/routes.ts'
import { LAYERS, type Layer } from '../../src/rules/routes/row.ts'

const ALL_LAYERS = new Set<Layer>(LAYERS)
const page = pages().get('docs/http-api.md') ?? ''

describe('docs/http-api.md', () => {
  it('describes every route, in the order of the table', () => {
    const described = [...page.matchAll(/^### `(.+)`$/gm)].map(([, name]) => name)
    expect(described).toEqual(routes.map(({ name }) => name))
  })
})

describe.each(routes.map(({ name }) => name))('The example of %s in docs/http-api.md', (name) => {
  const [request = '', ...answers] = examplesOf(name)

  it('is a request to the route', () => {
    const [, method = '', target = ''] = /^(\w+) (\S+)/.exec(request) ?? []
    const match = matchesAt(pathOf(target), ALL_LAYERS).find(({ row }) => row.method === method)
    expect(match?.row.name).toBe(name)
  })

  it('has a body that the service accepts', () => {
    const { request: schema } = routeTable[name]
    const body = bodyOf(request)
    expect(schema === null ? body : safeParse(schema, body).issues).toBeUndefined()
  })

  it('shows its success first', () => {
    expect(statusOf(answers[0])).toBe(routeTable[name].status)
  })

  it('has answers as the service gives them', () => {
    for (const answer of answers) {
      const body = bodyOf(answer)
      if (statusOf(answer) < 400) expect(faultOf(name, body), answer).toBeUndefined()
      else {
        expect(safeParse(refusalBody, body).issues, answer).toBeUndefined()
        expect(statusOf(answer)).toBe(refusals[(body as { readonly key: RefusalKey }).key].status)
      }
    }
  })
})

function examplesOf(name: RouteName): readonly string[] {
  const [, section = ''] = page.split(`<!-- generated: example ${name} -->`)
  const [example = ''] = section.split('<!-- end -->')
  return [...example.matchAll(/```http\n([\s\S]*?)\n```/g)].map(([, message = '']) => message)
}

const statusOf = (message = ''): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(message)?.[1])

function bodyOf(message: string): unknown {
  const [head = '', ...body] = message.split('\n\n')
  return head.includes('application/json') ? JSON.parse(body.join('\n\n')) : undefined
}

function faultOf(name: RouteName, body: unknown): unknown {
  const { answer } = routeTable[name]
  return answer === null ? body : safeParse(answer, body).issues
}
