import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureProgram } from '../../scripts/programs.mjs'

/** Makes a certificate for a host name that nobody has signed, and its key, as files of a folder. */
export function makeCertificate(folder: string, host: string) {
  const [certificate, key] = [join(folder, 'host.crt'), join(folder, 'host.key')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-subj', `/CN=${host}`, '-days', '1']
  const name = ['-addext', `subjectAltName=DNS:${host}`]
  const files = ['-keyout', key, '-out', certificate]
  const args = ['req', '-x509', ...curve, ...subject, ...name, ...files]
  execFileSync(ensureProgram('openssl'), args, { stdio: 'pipe' })
  return { certificate, key }
}
