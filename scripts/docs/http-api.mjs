// The generated parts of docs/http-api.md, from the rules that the service runs on.
import { jsonSchemaOf } from '../../build/src/http/routes/json-schema.js'
import { createCookies } from '../../build/src/http/wire/cookies.js'
import { done, OVER_TLS } from '../../build/src/http/wire/respond.js'
import { limits, sizes, streams, times } from '../../build/src/rules/limits.js'
import { refusals } from '../../build/src/rules/refusals.js'
import { serverLanguages } from '../../build/src/rules/locales/server-languages.js'
import { API_PATH } from '../../build/src/rules/paths.js'
import { routes } from '../../build/src/rules/routes.js'
import { code, fenced, table } from './generated.mjs'
import { exchanges } from './http-api-examples.mjs'
import * as texts from './http-api-texts.mjs'

export const path = 'docs/http-api.md'

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  const examples = Object.entries(exchanges()).map(([name, messages]) => [
    `example ${name}`,
    messages.map((message) => fenced('http', message)).join('\n\n'),
  ])
  return {
    routes: routeTable(),
    refusals: refusalTable(),
    messages: messageTable(),
    cookies: cookieTable(),
    headers: headerTable(),
    limits: limitTable(),
    sizes: sizeTable(),
    times: timeTable(),
    streams: streamTable(),
    ...Object.fromEntries(examples),
  }
}

function routeTable() {
  const rows = routes.map((route) => {
    const { name, method, path: below, access, limit = null } = route
    const { requestWith, status, answer } = route
    const request = requestWith?.request ?? route.request
    const notes = [
      ...(route.layer ? [texts.layers[route.layer]] : []),
      ...(requestWith ? [`${addedFields(route)}: ${texts.layers[requestWith.layer]}`] : []),
      ...(route.passive ? ['passive'] : []),
      ...(route.stateless ? ['needs no stateful request'] : []),
    ]
    return [
      code(name),
      `${method} ${code(below)}`,
      access,
      limit === null ? '–' : inWords(limits[limit]),
      fieldsOf(request, 'input'),
      status,
      fieldsOf(answer, 'output'),
      notes.join(', '),
    ]
  })
  const head = [
    'name',
    'method and path',
    'access',
    'limit',
    'request',
    'success',
    'answer',
    'notes',
  ]
  return `All paths are below ${code(API_PATH)}. \`?\` marks a field that may be missing.\n\n${table(head, rows)}`
}

/** Returns the fields that a layer adds to the body of a route. */
function addedFields({ request, requestWith }) {
  const usual = Object.keys(request.entries)
  return Object.keys(requestWith.request.entries)
    .filter((name) => !usual.includes(name))
    .map(code)
    .join(', ')
}

/** Returns the fields of a body, in all of its forms. */
function fieldsOf(schema, io) {
  if (schema === null) return '–'
  const json = jsonSchemaOf(schema, io)
  const forms = json.anyOf ?? [json]
  const names = new Set(forms.flatMap((form) => Object.keys(form.properties ?? {})))
  const isAlways = (name) => forms.every((form) => (form.required ?? []).includes(name))
  return [...names].map((name) => code(isAlways(name) ? name : `${name}?`)).join(', ')
}

function refusalTable() {
  const rows = Object.entries(refusals).map(([key, { status, field }]) => {
    const usual = field === null ? '–' : code(field)
    const [when, more = '–', fields = usual] = textOf(texts.refusals, key)
    return [status, code(key), fields, when, more]
  })
  return table(['status', 'key', 'field', 'when', 'also in the body'], rows)
}

/** Returns the table of English texts: refusals, fields and the verification mail. */
function messageTable() {
  const rows = Object.entries(serverLanguages.en)
    .filter(([key]) => key.startsWith('svc::') || key.startsWith('mail.'))
    .map(([key, text]) => [code(key), text])
  return table(['key', 'English'], rows)
}

function cookieTable() {
  const lines = (https) => {
    const cookies = createCookies(https)
    const own = [cookies.giveDevice('…'), cookies.giveTrusted('…', '…')]
    return [...cookies.give('…', '…'), ...own].map((line) => line.split('; '))
  }
  const plain = lines(false)
  const rows = lines(true).map(([pair, ...attributes], index) => [
    code(nameIn(pair)),
    code(nameIn(plain[index][0])),
    attributes.map(code).join(', '),
  ])
  return table(['name on https', 'name on http', 'attributes on https'], rows)
}

const nameIn = (pair) => pair.slice(0, pair.indexOf('='))

function headerTable() {
  const rows = Object.entries({ ...done().headers, ...OVER_TLS }).map(([name, value]) => [
    code(name),
    code(String(value)),
    name in OVER_TLS ? 'only on https' : '',
  ])
  return table(['header', 'value', 'note'], rows)
}

function limitTable() {
  const rows = Object.entries(limits).map(([name, limit]) => {
    const [counts, refusal = 'svc::auth.throttle'] = texts.limits[name] ?? routeLimitText(name)
    return [
      code(name),
      inWords(limit),
      counts,
      refusal.startsWith('svc::') ? code(refusal) : refusal,
      texts.specifiedLimits.has(name) ? 'specification' : 'added',
    ]
  })
  return table(['name', 'default', 'counts', 'beyond it', 'source'], rows)
}

function routeLimitText(name) {
  const route = routes.find(({ limit }) => limit === name)
  if (route === undefined) throw new Error(`http-api-texts.mjs does not explain the limit ${name}`)
  const by = route.access === 'guest' ? 'network' : 'user'
  return [`requests to ${code(route.name)} of one ${by}`, 'svc::auth.too_many_requests']
}

function sizeTable() {
  const rows = Object.entries(sizes).map(([name, most]) => {
    const [what, beyond] = textOf(texts.sizes, name)
    const unit = /Bytes$/.test(name) ? 'bytes' : /Characters$/.test(name) ? 'characters' : 'codes'
    return [what, `${most.toLocaleString('en')} ${unit}`, beyond]
  })
  return table(['of', 'at most', 'beyond it'], rows)
}

function timeTable() {
  const rows = Object.entries(texts.times).map(([name, [what, option]]) => {
    if (times[name] === undefined) throw new Error(`rules/limits.ts has no time ${name}`)
    return [
      durationOf(times[name] * (name.endsWith('Minutes') ? 60 : 1)),
      what,
      option === null ? '–' : code(option),
    ]
  })
  return table(['time', 'meaning', 'option'], rows)
}

function streamTable() {
  const rows = Object.entries(streams).map(([name, value]) => {
    const [what, option] = textOf(texts.streams, name)
    return [[value].flat().join(' to '), what, option === null ? '–' : code(option)]
  })
  return table(['number', 'of', 'option'], rows)
}

function textOf(from, name) {
  const text = from[name]
  if (text === undefined) throw new Error(`http-api-texts.mjs does not explain ${name}`)
  return text
}

const inWords = ({ max, windowSeconds }) => `${max} in ${durationOf(windowSeconds)}`

const UNITS = [
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
  ['second', 1],
]

/** Formats a time in the largest unit that divides it; in days only for more than one. */
function durationOf(seconds) {
  const [unit, length] = UNITS.find(
    ([unit, length]) => seconds % length === 0 && (unit !== 'day' || seconds > length),
  ) ?? ['second', 1]
  const count = seconds / length
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
