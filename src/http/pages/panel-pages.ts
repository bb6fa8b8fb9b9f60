import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import preferredEncodings from 'negotiator/lib/encoding.js'
import type { PlainReply, PlainRequest } from '../../contracts/host.ts'
import { ConfigError } from '../../contracts/errors.ts'
import { OWN_FILES_REMEDY } from '../../contracts/own-files.ts'
import { sizes } from '../../rules/limits.ts'
import type { MessageKey } from '../../rules/messages.ts'
import type { WrittenPage } from '../../rules/panel-settings.ts'
import { methodNotAllowed, page, file, redirect, refuse, NOT_FOUND } from '../wire/respond.ts'
import { firstItems } from '../wire/header-lists.ts'
import { directionOf, escapeHtml } from '../wire/html.ts'
import { readLanguage, readTheme } from '../wire/cookies.ts'
import type { Translator } from '../wire/translate.ts'

/** The settings of the pages of all panels. */
export interface PagesSettings {
  readonly prefix: string
  readonly panels: readonly string[]
  /** Address of the host's page on which users change their password. */
  readonly changePassword: string | null
  /** Settings of the page of every panel. Each page adds its path and its release. */
  readonly page: Omit<WrittenPage, 'base' | 'release'>
}

/** The pages and files that the service serves besides its API. */
export type Pages = ReturnType<typeof createPages>

const CHANGE_PASSWORD = '/.well-known/change-password'
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface Asset {
  readonly type: string
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
}

/**
 * Creates the pages from the build, which is read once. One document serves every path of a panel.
 *
 * @param folder The output folder of the build.
 * @throws {ConfigError} The build cannot be read.
 */
export function createPages(folder: string, settings: PagesSettings, translator: Translator) {
  const build = readBuild(folder)
  const bases = settings.panels.map((panel) => `/${settings.prefix}/${panel}`)
  const baseOf = (path: string): string | undefined =>
    bases.find((base) => path === base || path.startsWith(`${base}/`))

  function answer(request: PlainRequest, path: string): PlainReply {
    const refused = (refusal: Parameters<typeof refuse>[0]): PlainReply =>
      refuse(refusal, translator, request.header('accept-language'))
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refused(methodNotAllowed(request.method, ['GET', 'HEAD']))
    if (path === CHANGE_PASSWORD && settings.changePassword !== null)
      return redirect(settings.changePassword)
    const base = baseOf(path)
    if (base === undefined) return refused(NOT_FOUND)
    if (!path.startsWith(`${base}/assets/`)) {
      const written = { ...settings.page, base, release: build.release }
      return documentFor(request, { build, written, translator })
    }
    const asset = build.assets.get(path.slice(base.length + '/assets/'.length))
    if (asset === undefined) return refused(NOT_FOUND)
    const zipped = readsGzip(request.header('accept-encoding'))
    return file(asset.type, zipped ? asset.gzip : asset.plain, zipped)
  }

  return {
    serves: (path: string) =>
      baseOf(path) !== undefined || (path === CHANGE_PASSWORD && settings.changePassword !== null),
    answer,
  }
}

function readsGzip(acceptEncoding: string | null): boolean {
  if (acceptEncoding === null) return false
  const list = firstItems(acceptEncoding, sizes.acceptCharacters)
  return preferredEncodings(list, ['gzip', 'identity'])[0] === 'gzip'
}

interface Build {
  readonly document: string
  readonly assets: ReadonlyMap<string, Asset>
  /** Changes with every file of the build, so that an open page detects a newer version. */
  readonly release: string
}

function readBuild(folder: string): Build {
  try {
    const assets = new Map<string, Asset>()
    for (const name of readdirSync(join(folder, 'assets'))) {
      const plain = readFileSync(join(folder, 'assets', name))
      const type = TYPES[extname(name)]
      if (type !== undefined) assets.set(name, { type, plain, gzip: gzipSync(plain, { level: 9 }) })
    }
    const document = readFileSync(join(folder, 'index.html'), 'utf8')
    return { document, assets, release: releaseOf(document, assets.keys()) }
  } catch (cause) {
    const isMissing = Object(cause).code === 'ENOENT'
    const fault = isMissing ? `are missing at ${folder}; ${OWN_FILES_REMEDY}` : 'cannot be read'
    throw new ConfigError(`spa: the pages of @svc/auth ${fault}`, { cause })
  }
}

/** Derives the release from the document and the file names, which contain content hashes. */
function releaseOf(document: string, names: Iterable<string>): string {
  const content = [document, ...[...names].toSorted()].join('\n')
  return createHash('sha256').update(content).digest('base64url').slice(0, 12)
}

/** Returns the texts that the document shows before its script is loaded. */
function bootTexts(translator: Translator, language: string): Readonly<Record<string, string>> {
  const text = (key: MessageKey): string => translator.text(language, key)
  return {
    LOADING: text('ui.loading'),
    SLOW: text('ui.boot.slow'),
    RELOAD: text('ui.reload'),
    NOSCRIPT: text('ui.noscript'),
  }
}

interface DocumentParts {
  readonly build: Build
  readonly written: WrittenPage
  readonly translator: Translator
}

function documentFor(
  request: PlainRequest,
  { build, written, translator }: DocumentParts,
): PlainReply {
  const cookies = request.header('cookie')
  const language =
    readLanguage(cookies, translator.languages) ??
    translator.language(request.header('accept-language'))
  const values: Readonly<Record<string, string>> = {
    ...bootTexts(translator, language),
    LANG: language,
    DIR: directionOf(language),
    THEME: readTheme(cookies),
    BASE_PATH: written.base.slice(1),
    NAME: written.name,
    PAGE: JSON.stringify(written),
  }
  const html = build.document.replaceAll(/__SVC_([A-Z_]+?)__/g, (whole, key: string) =>
    escapeHtml(values[key] ?? whole),
  )
  return page(html, language, build.release)
}
