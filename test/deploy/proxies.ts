import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.mjs'
import { ensureProgram } from '../../scripts/programs.mjs'
import { makeCertificate } from '../support/certificate.ts'
import { runListening } from '../support/listening-program.ts'
import { temporaryFolder } from '../support/panel.ts'

/** A reverse proxy that runs with the file of docs/deploy. */
export interface Proxy {
  /** The certificate that it shows. */
  readonly ca: string
  /** The log, which names the nodes that requests were passed on to; `null`: it names none. */
  readonly log: (() => string) | null
  /** The errors between the proxy and the nodes that its log names. */
  errors(): string
}

interface Places {
  readonly https: number
  readonly nodes: readonly number[]
}

/** The proxies of docs/deploy: each starts on this port, before these nodes, and ends with the test. */
export const proxies: Readonly<Record<string, (places: Places) => Promise<Proxy>>> = {
  async nginx({ https, nodes }) {
    const program = ensureProgram('nginx')
    const [folder, http] = [temporaryFolder(), await freePort()]
    const { certificate, key } = makeCertificate(folder, 'panel.example.com')
    const log = join(folder, 'panel.log')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((what) => `${what}_temp_path ${join(folder, what)};`)
      .join(' ')
    const file = configured(folder, 'nginx.conf', [
      ['/run/nginx.pid', join(folder, 'pid')],
      ['/var/log/nginx/error.log', join(folder, 'error.log')],
      ['/var/log/nginx/panel.log', log],
      ['/etc/nginx/panel.crt', certificate],
      ['/etc/nginx/panel.key', key],
      ['http {', `http { ${temporary}`],
      ['listen 443', `listen 127.0.0.1:${https}`],
      ['listen 80', `listen 127.0.0.1:${http}`],
      ...nodesAt(nodes),
    ])
    await runListening(
      program,
      ['-e', join(folder, 'error.log'), '-g', 'daemon off;', '-c', file],
      https,
    )
    return {
      ca: readFileSync(certificate, 'utf8'),
      log: () => readFileSync(log, 'utf8'),
      errors: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    }
  },

  async HAProxy({ https, nodes }) {
    const program = ensureProgram('haproxy')
    const [folder, http] = [temporaryFolder(), await freePort()]
    const { certificate, key } = makeCertificate(folder, 'panel.example.com')
    const both = join(folder, 'panel.pem')
    writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
    const file = configured(folder, 'haproxy.cfg', [
      ['/etc/haproxy/panel.pem', both],
      ['bind :443', `bind 127.0.0.1:${https}`],
      ['bind :80', `bind 127.0.0.1:${http}`],
      ...nodesAt(nodes),
    ])
    const log = await runListening(program, ['-f', file], https)
    return { ca: readFileSync(certificate, 'utf8'), log, errors: () => '' }
  },

  async Apache({ https, nodes }) {
    const program = ensureProgram('apache')
    const [folder, http] = [temporaryFolder(), await freePort()]
    const { certificate, key } = makeCertificate(folder, 'panel.example.com')
    const log = join(folder, 'panel.log')
    const site = configured(folder, 'apache.conf', [
      ['/var/log/apache2/panel.log', log],
      ['/etc/apache2/panel.crt', certificate],
      ['/etc/apache2/panel.key', key],
      ['*:443', `127.0.0.1:${https}`],
      ['*:80', `127.0.0.1:${http}`],
      ...nodesAt(nodes),
    ])
    const file = join(folder, 'all.conf')
    writeFileSync(
      file,
      [
        `ServerRoot ${folder}\nPidFile pid\nErrorLog error.log\nUser www-data\nGroup www-data`,
        `Listen 127.0.0.1:${https}\nListen 127.0.0.1:${http}\nServerName localhost`,
        ...APACHE_MODULES.map(
          (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
        ),
        `Include ${site}`,
      ].join('\n'),
    )
    await runListening(program, ['-X', '-f', file], https, { signal: 'SIGKILL' })
    return {
      ca: readFileSync(certificate, 'utf8'),
      log: () => readFileSync(log, 'utf8'),
      errors: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    }
  },

  async Caddy({ https, nodes }) {
    const program = ensureProgram('caddy')
    const [folder, http] = [temporaryFolder(), await freePort()]
    const { certificate, key } = makeCertificate(folder, 'panel.example.com')
    const file = configured(folder, 'Caddyfile', [
      [
        '\npanel.example.com {',
        `\npanel.example.com:${https} {\n bind 127.0.0.1\n tls ${certificate} ${key}`,
      ],
      ['\n{', `\n{\n admin off\n http_port ${http}\n storage file_system ${folder}`],
      ...nodesAt(nodes),
    ])
    const errors = await runListening(
      program,
      ['run', '--config', file, '--adapter', 'caddyfile'],
      https,
    )
    return { ca: readFileSync(certificate, 'utf8'), log: null, errors }
  },
}

/** The modules of Debian that apache.conf needs, and those that its server has from the start. */
const APACHE_MODULES =
  'mpm_event authz_core alias headers socache_shmcb ssl proxy proxy_http slotmem_shm proxy_balancer lbmethod_bybusyness proxy_hcheck'.split(
    ' ',
  )

function nodesAt(ports: readonly number[]) {
  return ports.map((port, at) => [`10.0.0.1${at + 1}:3000`, `127.0.0.1:${port}`] as const)
}

/** The file of docs/deploy with the places of this machine. */
function configured(
  folder: string,
  name: string,
  places: readonly (readonly [documented: string, here: string])[],
): string {
  const documented = new URL(`../../docs/deploy/${name}`, import.meta.url)
  let text = readFileSync(documented, 'utf8')
  for (const [one, here] of places) {
    if (!text.includes(one)) throw new Error(`docs/deploy/${name} does not say ${one} any more`)
    text = text.replaceAll(one, here)
  }
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
