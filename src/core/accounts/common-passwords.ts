/** Returns whether a password, in lower case, is one that many people use. */
export type IsCommon = (password: string) => boolean

let loading: Promise<IsCommon> | null = null

/** Loads the list of common passwords, once. Only what checks new passwords needs it. */
export async function loadCommonPasswords(): Promise<IsCommon> {
  loading ??= load()
  // After a failure the next password tries again.
  return loading.catch((error: unknown) => {
    loading = null
    throw error
  })
}

async function load(): Promise<IsCommon> {
  const [{ brotliDecompressSync }, { compressedPasswords }] = await Promise.all([
    import('node:zlib'),
    import('./common-passwords-list.ts'),
  ])
  const lines = brotliDecompressSync(Buffer.from(compressedPasswords, 'base64')).toString('utf8')
  const list = new Set(lines.split('\n'))
  return (password) => isCommonIn(list, password)
}

/** More decoration than this is a password of its own, unless it is a common one, too. */
const MAX_DECORATION = 7

/** Finds a common password, also when it is repeated, or has digits and signs around it. */
function isCommonIn(list: ReadonlySet<string>, password: string): boolean {
  const text = unitOf(password.toLowerCase())
  if (list.has(text)) return true
  const core = text.replace(/^\P{L}+|\P{L}+$/gu, '')
  if (core === '' || core === text || !list.has(core)) return false
  const decoration = text.replace(core, '')
  return decoration.length <= MAX_DECORATION || list.has(decoration)
}

/** Returns the part that a text repeats; the text itself when it repeats none. */
function unitOf(text: string): string {
  // A text that repeats a part is found in its own double before the end.
  const length = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, length)
}
