import { execFile } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { startMariadb } from '../../scripts/mariadb.mjs'
import { startPostgres } from '../../scripts/postgres.mjs'
import { startRedis } from '../../scripts/redis.mjs'
import { makeCertificate } from '../support/certificate.ts'

type Certificate = ReturnType<typeof makeCertificate>

/** A server whose certificate of `localhost` is its own authority. */
interface TlsServer {
  readonly encrypted: string
  readonly plain: string
  readonly stop: () => Promise<void>
}

const starts: Readonly<Record<string, (certificate: Certificate) => Promise<TlsServer>>> = {
  async PostgreSQL({ certificate, key }) {
    const { url, data, stop } = await startPostgres()
    const { uid, gid } = statSync(data)
    for (const [name, file] of Object.entries({ 'host.crt': certificate, 'host.key': key })) {
      copyFileSync(file, join(data, name))
      chownSync(join(data, name), uid, gid)
      chmodSync(join(data, name), 0o600)
    }
    await run(url, [
      'CREATE ROLE panel SUPERUSER LOGIN',
      `COPY (SELECT 'hostssl all panel all trust') TO '${join(data, 'pg_hba.conf')}'`,
      "ALTER SYSTEM SET ssl_cert_file = 'host.crt'",
      "ALTER SYSTEM SET ssl_key_file = 'host.key'",
      'ALTER SYSTEM SET ssl = on',
      'SELECT pg_reload_conf()',
    ])
    const plain = `postgres://panel@localhost:${new URL(url).port}/postgres`
    return { plain, encrypted: `${plain}?sslmode=verify-full`, stop }
  },
  async MariaDB({ certificate, key }) {
    const server = await startMariadb([`--ssl-cert=${certificate}`, `--ssl-key=${key}`])
    const connection = await createConnection(server.url)
    await connection.query('CREATE DATABASE panel')
    await connection.end()
    const plain = `mysql://root@localhost:${new URL(server.url).port}/panel`
    return { plain, encrypted: `${plain}?ssl=true`, stop: server.stop }
  },
  async Redis({ certificate, key }) {
    const tlsPort = await freePort()
    const options = {
      '--tls-port': tlsPort,
      '--tls-cert-file': certificate,
      '--tls-key-file': key,
      '--tls-ca-cert-file': certificate,
      '--tls-auth-clients': 'no',
    }
    const { url, stop } = await startRedis({ options })
    const plain = new URL(url)
    Object.assign(plain, { hostname: 'localhost', port: tlsPort })
    return { plain: plain.href, encrypted: plain.href.replace('redis:', 'rediss:'), stop }
  },
}

describe.each(Object.keys(starts))('%s over TLS', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'))
  const files = makeCertificate(folder, 'localhost')
  const authority = { NODE_EXTRA_CA_CERTS: files.certificate }
  let server: TlsServer

  beforeAll(async () => {
    const start = starts[name]
    if (start !== undefined) server = await start(files)
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  it('opens with the authority of NODE_EXTRA_CA_CERTS', async () => {
    expect(await opening(name, server.encrypted, authority)).toBe('opened\n')
  })

  it('is refused with an authority that is not known, and names NODE_EXTRA_CA_CERTS', async () => {
    expect(await opening(name, server.encrypted)).toMatch(
      /^StoreError .*certificate.*NODE_EXTRA_CA_CERTS/,
    )
  })

  it('is refused with the certificate of another host', async () => {
    // Drivers take the canonical form, 127.0.0.1, for no name at all.
    const other = server.encrypted.replace('localhost', '127.1')
    expect(await opening(name, other, authority)).toMatch(
      /^StoreError .*altnames.*host name that the certificate has/,
    )
  })

  // Without tables of accounts MariaDB takes every connection.
  if (name === 'MariaDB') return
  it('is named as the remedy where the server takes nothing else', async () => {
    expect(await opening(name, server.plain)).toMatch(/ for TLS\b/)
  })
})

async function opening(name: string, url: string, variables: NodeJS.ProcessEnv = {}) {
  const program = fileURLToPath(new URL('open-stores.mjs', import.meta.url))
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: '', ...variables }
  const { stdout } = await promisify(execFile)(process.execPath, [program, name, url], { env })
  return stdout
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
