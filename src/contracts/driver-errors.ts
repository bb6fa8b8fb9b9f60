import { printableLines } from '../rules/printable.ts'

/**
 * Returns an error as it may be logged. Errors of drivers carry the statement and its parameters,
 * such as hashes and emails, in properties and often in the message. Of those errors the code
 * stays, and the message where it names nothing but parts of the schema or the connection.
 *
 * Remaining risk: code of the host that writes values into a message of its own is not recognised.
 *
 * Characters that a terminal acts on are escaped: a message may quote what a client has sent.
 *
 * @returns the same error when there is nothing to leave out or to escape. A value of another type
 *   becomes an error.
 */
export function withoutValues(thrown: unknown): Error {
  try {
    const error = errorOf(thrown)
    return !copies.has(error) && isUnsafe(error, MAX_DEPTH) ? copyOf(error, MAX_DEPTH) : error
  } catch {
    // A getter of it throws.
    return errorOf('unreadable')
  }
}

/** The copies, which lack the properties by which a message was found to name no value. */
const copies = new WeakSet<Error>()

/**
 * Returns what was thrown as an error. Some libraries throw objects, such as a response that refers
 * to itself, which no log could write.
 */
function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { message = thrown, code, hint } = Object(thrown)
  const error = new Error(typeof message === 'string' ? message : `${typeof thrown} was thrown`)
  // Nothing has failed where the error was made.
  const stack = `Error: ${error.message}`
  return Object.assign(error, { code, stack }, hint !== undefined && { hint })
}

/** Causes beyond this depth are left out: a host can make a circle of them. */
export const MAX_DEPTH = 8

/** The properties that name a failure of the system, and nothing of the call. */
const KEPT: ReadonlySet<string> = new Set(['address', 'code', 'errno', 'name', 'syscall'])

/**
 * Returns whether an error carries more than a failure: the client of a mail service keeps the
 * whole request, with its link and the key of the service, and that of a Redis Cluster the error of
 * the last node, with the password that it refused.
 */
function carriesMore(error: Error): boolean {
  const { errors = [] } = error as { readonly errors?: unknown }
  if (!Array.isArray(errors) || errors.some((part) => !(part instanceof Error))) return true
  return Object.entries(error).some(([name, value]) => {
    const isText = typeof value === 'string' && !KEPT.has(name)
    const isPart = name === 'errors' || (name === 'cause' && value instanceof Error)
    return isText || (typeof value === 'object' && value !== null && !isPart)
  })
}

/** The properties in which drivers keep statements, values or replies. */
const PROPERTIES = [
  'args',
  'command',
  'detail',
  'hint',
  'meta',
  'parameters',
  'params',
  'query',
  'response',
  'responseCode',
  'severity',
  'sql',
  'sqlMessage',
  'sqlState',
]

function isOfDriver(error: Error): boolean {
  return (
    PROPERTIES.some((property) => property in error) ||
    /^(?:Prisma|Drizzle|Sqlite|Reply)/.test(error.name) ||
    /^(?:SQLITE_|ERR_SQLITE_|ER_|P\d{4}$)/.test(codeOf(error)) ||
    REDIS_ERR.test(error.message)
  )
}

function isUnsafe(error: Error, depth: number): boolean {
  if (isOfDriver(error) || carriesMore(error)) return true
  if (printableLines(error.message) !== error.message) return true
  return depth > 0 && partsOf(error).some((part) => isUnsafe(part, depth - 1))
}

/** Returns the errors that an error contains. */
function partsOf(error: Error): readonly Error[] {
  const { cause, errors } = error as { readonly cause?: unknown; readonly errors?: unknown }
  const all: readonly unknown[] = [cause, ...(Array.isArray(errors) ? errors : [])]
  return all.filter((part) => part instanceof Error)
}

function copyOf(error: Error, depth: number): Error {
  const [cause] = depth > 0 ? partsOf(error) : []
  const inner = cause === undefined ? undefined : copyOf(cause, depth - 1)
  const message = printableLines(isOfDriver(error) ? messageOf(error) : error.message)
  const copy = new Error(message, inner === undefined ? undefined : { cause: inner })
  copies.add(copy)
  const name = /^\w{1,60}$/.test(error.name) ? error.name : 'Error'
  const stack = [`${name}: ${message}`, ...framesOf(error)].join('\n')
  Object.defineProperties(copy, {
    name: { value: name, configurable: true },
    stack: { value: stack, configurable: true },
  })
  const code = codeOf(error)
  return code === '' ? copy : Object.assign(copy, { code })
}

/** Returns the stack after the message, which may have lines that look like the stack's own. */
function framesOf({ message, stack = '' }: Error): readonly string[] {
  const start = stack.indexOf(message)
  if (start < 0) return []
  const lines = stack.slice(start + message.length).split('\n')
  return lines.filter((line) => /^\s+at /.test(line))
}

function codeOf(error: Error): string {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : ''
}

function messageOf(error: Error): string {
  // A mail server may repeat the mail, with its link.
  if ('response' in error || 'responseCode' in error) return refusalOf(error)
  if (namesNoValue(error)) return error.message
  const code = innermostCode(error)
  return code === '' ? 'a query failed' : `a query failed with the code ${code}`
}

function refusalOf(error: Error & { readonly responseCode?: unknown }): string {
  const { responseCode } = error
  const codes = [codeOf(error), Number.isInteger(responseCode) ? String(responseCode) : '']
  return `another server refused a call, ${codes.filter(Boolean).join(', ') || 'without a code'}`
}

/**
 * The classes of SQLSTATE whose messages name accounts, tables, columns and resources: connection,
 * state of the transaction, authorization, catalog, schema, rollback, access rules, resources,
 * limits, prerequisites, intervention, system, and the interrupted queries of MySQL.
 */
const CLASSES_WITHOUT_VALUES = /^(?:08|2[58]|3[DF]|4[02]|5[34578]|70)/

/** A reply of Redis without a code of its own. One to an unknown command has its arguments. */
const REDIS_ERR = /^ERR /

/**
 * The replies to a script whose user lacks a right. Redis 6.2 also replies so where it is full or
 * only reads, which later releases report by a code.
 */
const REFUSED_SCRIPT =
  /^ERR (?:Error running script \(call to f_\w+\): (?:@user_script: ?\d+: )*)?(?:The user executing the script can't |-(?:OOM|READONLY|NOREPLICAS|MISCONF) )/

/** Errors of the syntax quote the statement, in which a host may have written values. */
const SYNTAX_ERRORS: ReadonlySet<unknown> = new Set(['42601', 'ER_PARSE_ERROR'])

function namesNoValue(error: Error): boolean {
  const { name, message } = error
  // Drizzle's message has the statement and the parameters, Prisma's the arguments of the call.
  if (/^Prisma|^Drizzle/.test(name) || message.startsWith('Failed query')) return false
  const code = codeOf(error)
  if (SYNTAX_ERRORS.has(code)) return false
  if (/SQLITE_/.test(code)) return SQLITE_WITHOUT_VALUES.test(message)
  if (REDIS_ERR.test(message)) return REFUSED_SCRIPT.test(message)
  if (name === 'ReplyError') return true
  // The system's own errors name an address.
  if (/^(?:E[A-Z]+|PROTOCOL_[A-Z_]+)$/.test(code) && !code.startsWith('ER_')) return true
  const { sqlState } = error as { readonly sqlState?: unknown }
  // Only MySQL names the duplicate value.
  if (sqlState === undefined && code.startsWith('23')) return true
  return CLASSES_WITHOUT_VALUES.test(typeof sqlState === 'string' ? sqlState : code)
}

/** SQLite quotes the text of a statement that it cannot parse, and what a trigger raises. */
const SQLITE_WITHOUT_VALUES =
  /^(?:(?:database|disk|unable to open|attempt to write) [\w /]+|no such (?:table|column): "?[\w.]+"?(?: - should this be a string literal in single-quotes\?)?|[A-Z ]+ constraint failed(?:: [\w., ]+)?)$/

/**
 * Returns the code of an error; Prisma keeps the database's own in its description, and mysql2 has
 * only the number of an error of MariaDB.
 */
function innermostCode(error: Error): string {
  const { meta, errno } = error as { readonly meta?: unknown; readonly errno?: unknown }
  const original: unknown = Object(Object(Object(meta).driverAdapterError).cause).originalCode
  const own = codeOf(error) || (typeof errno === 'number' ? String(errno) : '')
  const codes = [own, typeof original === 'string' ? original : '']
  return codes.filter((code) => /^\w{1,60}$/.test(code)).join(', ')
}
