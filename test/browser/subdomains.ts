import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { ensureProgram } from '../../scripts/programs.mjs'
import { makeCertificate } from '../support/certificate.ts'
import { temporaryFolder } from '../support/panel.ts'

/** A request that the API received. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly hasCookie: boolean
  readonly status: number
}

interface Sites<Name extends string> {
  readonly api: RequestListener
  /** The documents of the other subdomains. */
  readonly pages: Readonly<Record<Exclude<Name, 'api'>, string>>
}

/** Starts one server over TLS for subdomains of example.test; it is stopped after the test. */
export async function serveTls<Name extends string>(names: readonly (Name | 'api')[]) {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end()
  const { certificate, key } = makeCertificate(temporaryFolder(), '*.example.test')
  const identity = { cert: readFileSync(certificate), key: readFileSync(key) }
  const server = createServer(identity, (request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const hostOf = (name: string): string => `${name}.example.test:${port}`
  const origins = Object.fromEntries(names.map((name) => [name, `https://${hostOf(name)}`])) as {
    readonly [Key in Name | 'api']: string
  }
  /** Begins to answer. @returns the requests to the API, in the order of their responses. */
  function listen({ api, pages }: Sites<Name>): Received[] {
    const received: Received[] = []
    const documents: ReadonlyMap<string, unknown> = new Map(
      Object.entries(pages).map(([name, document]) => [hostOf(name), document]),
    )
    answer = (request, response) => {
      const { method = '', url = '', headers } = request
      const document = documents.get(headers.host ?? '')
      if (document !== undefined)
        return void response.setHeader('content-type', 'text/html').end(document)
      const sent = { method, path: url, hasCookie: headers.cookie !== undefined }
      const writeHead = response.writeHead.bind(response)
      response.writeHead = (status: number, ...rest: never[]) => {
        received.push({ ...sent, status })
        return writeHead(status, ...rest)
      }
      api(request, response)
    }
    return received
  }
  return { origins, listen }
}

/** Opens a page in a browser that finds every subdomain of example.test on this machine. */
export async function visitSubdomains(address: string): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: ensureProgram('chromium'),
    args: ['--host-resolver-rules=MAP *.example.test 127.0.0.1'],
  })
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const page = await context.newPage()
  await page.goto(address)
  return page
}
