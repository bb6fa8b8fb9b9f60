import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/rules/limits.ts'
import { refusals } from '../../src/rules/payloads.ts'
import { routes } from '../../src/rules/routes.ts'

/** Every row of the specification, as docs/where.md has them; short ones share a line. */
const SPECIFICATION = `
DO-1 cookie sessions for an SPA, protected by CSRF protection; no tokens
DO-2 three optional layers: email verification, second factor, notification feed
DO-3 the API lives under /svc/api/, whatever the prefix of the panel is
DO-4 all other API routes: session guard, then email verification, then second factor
DO-5 no built-in second factor; without a binding it does not exist
CR-1 email · string · yes | CR-2 password · string · yes
US-1 fields of the authenticated user: not shown
NE-1 title · string · yes · title of the entry | NE-2 body · string · no · text under the title
NE-3 url · string · no · link opened when the entry is clicked
NE-4 identifier, read marker, timestamps: not shown
NE-5 rule 1: the bell shows the 20 latest notifications of the user
NE-6 rule 2: the bell shows the count of unread notifications
NE-7 rule 3: one notification, or all of them, can be marked as read
NE-8 rule 4: each user sees and modifies only their own notifications
TS-1 shape of the two-factor status: not shown
RC-1 a list of strings, returned when the second factor is enabled, displayed once only
TC-1 isEnabledFor · user · bool · at login, to decide whether a code is requested
TC-2 isRequiredFor · user · bool · to force a user to enable it before entering the panel
TC-3 verify · user, code · bool · the login code; it must also accept a recovery code
TC-4 newSecret · none · string · at the start of activation
TC-5 qrCode · user, secret · string, an image that the SPA displays as it is
TC-6 verifySetup · secret, code · bool · at confirmation, with the pending secret
TC-7 enable · user, secret · recovery codes · once activation is confirmed; stores the secret
TC-8 disable · user · nothing · at deactivation
LS-1 unauthenticated · login · valid, isEnabledFor false or unbound → authenticated
LS-2 unauthenticated · login · valid, isEnabledFor true → pending second factor; SPA asks code
LS-3 pending · login/two-factor · correct or recovery code → authenticated
LS-4 pending · time · five minutes elapsed → unauthenticated
LS-5 pending · login/two-factor · five incorrect codes → unauthenticated
LS-6 authenticated · logout · any → unauthenticated; session closed
EV-1 unverified · any API call · authenticated → unverified; 403 email_verification_required
EV-2 unverified · signed link · valid and not expired → verified; redirect to the panel
SF-1 not enabled · setup · contract bound → not enabled, secret pending in the session
SF-2 not enabled · confirm · verifySetup true → enabled; recovery codes shown once
SF-3 enabled · DELETE two-factor · isRequiredFor false → not enabled; disable is called
SF-4 enabled · DELETE two-factor · isRequiredFor true → enabled; 403 required_cannot_disable
SF-5 not enabled · any other API call · isRequiredFor true → 403 two_factor_setup_required
NO-1 unread · mark one · it belongs to the user → read; unread count decreases
NO-2 unread · mark all · they belong to the user → read; unread count becomes zero
NO-3 names of state values in payloads: not shown
EN-1 POST /svc/api/login · email, password · two_factor when enabled · opens the session
EN-2 POST /svc/api/login/two-factor · code · resolves a pending login
EN-3 POST /svc/api/logout · closes the session | EN-4 GET /svc/api/user · the authenticated user
EN-5 GET /svc/api/two-factor · status for the security page
EN-6 POST /svc/api/two-factor/setup · secret and QR image; the secret stays pending
EN-7 POST /svc/api/two-factor/confirm · first code · recovery codes
EN-8 DELETE /svc/api/two-factor · disables the second factor
EN-9 security page at /{prefix}/{panel}/security; its four routes stay accessible
EN-10 verification link: signed, temporary URL to the route named svc.email.verify
EN-11 the SPA shows a verification screen with a button that sends the email
EN-12 open: body and status of login: not shown | EN-13 open: name of the code field: not shown
EN-14 open: bodies of GET two-factor, setup and confirm: not shown
EN-15 open: paths that send the verification email and verify it: not shown
EN-16 open: paths, methods and bodies of the notification endpoints: not shown
AU-1 cookie sessions in SPA mode, protected by CSRF protection; no tokens
AU-2 session_auth.stateful lists the panel domain, in development also the dev server
AU-3 login takes email and password
AU-4 order: svc.middleware, session, email, second factor, svc.authenticated_middleware
AU-5 email verification only if the user model implements MustVerifyEmail; 403 until then
AU-6 second factor only if bound; enabled leads to the code step, required blocks the API
AU-7 notifications need no setup: database channel with title, body, url is enough
AU-8 CSRF cookie, header and the endpoint that issues it: not shown
AU-9 permissions inside the panel: not shown
EE-1 events: not shown
ER-1 more than five failed logins · validation error · svc::auth.throttle
ER-2 email not verified · 403 · email_verification_required: true
ER-3 second factor required and not enabled · 403 · two_factor_setup_required: true
ER-4 disabling when required · 403 · svc::auth.required_cannot_disable
ER-5 HTTP status of the validation error: not shown
ER-6 body shape of errors beyond that: not shown | ER-7 response beyond a route limit: not shown
LI-1 failed logins: 5 per email and IP address, then the throttle error
LI-2 pending login: 5 minutes or 5 incorrect codes, whichever comes first
LI-3 login and login/two-factor: 10 requests per minute, besides the attempt limit
LI-4 sending the verification email: 3 per minute
LI-5 confirming and disabling the second factor: 10 requests per minute each
LI-6 lifetime of the link: auth.verification.expire, default 60 minutes
LI-7 notifications shown in the bell: the 20 latest | LI-8 duration of the lockout: not shown
LI-9 scope of the per-minute limits: not shown
VE-1 versioning: not shown
`
/** Rows that are done but for their page in the browser. Building a page takes its rows off. */
const WITHOUT_PAGE = 0

const where = readFileSync('docs/where.md', 'utf8')
const rows = where.split('\n').flatMap((line) => {
  const [, row = '', file = '', test = ''] = line.split('|').map((cell) => cell.trim())
  const isRow = !/^(?:|-+|row|route|limit|refusal)$/.test(row)
  return isRow ? [{ row, file, places: namedIn(file), titles: namedIn(test) }] : []
})

describe('docs/where.md', () => {
  it('has every row of the specification, route, limit and refusal, in order', () => {
    const names = [...routes.map(({ name }) => name), ...[limits, refusals].flatMap(Object.keys)]
    const wanted = [...SPECIFICATION.trim().split(/\n| \| /), ...names.map((name) => `\`${name}\``)]
    expect(rows.map(({ row }) => row)).toEqual(wanted)
  })

  it('has a place and a test in every row, and links to files that exist', () => {
    expect(rows.filter((row) => row.places.length * row.titles.length === 0)).toEqual([])
    expect(where.match(/\]\((?![^)]*\) `).*/g)).toBeNull()
    const named = rows.flatMap(({ places, titles }) => [...places, ...titles])
    expect(named.filter(({ path }) => !existsSync(path))).toEqual([])
  })

  it('names only what the linked file declares, or has as a row of a table', () => {
    expect(rows.flatMap((row) => row.places).filter((named) => !declares(named))).toEqual([])
  })

  it('quotes only titles of tests of the linked file', () => {
    expect(rows.flatMap((row) => row.titles).filter((named) => !hasTitle(named))).toEqual([])
  })

  it('says in one and the same way which rows need a page', () => {
    const without = rows.filter(({ file }) => file.endsWith('; page: not built yet'))
    expect(without).toHaveLength(WITHOUT_PAGE)
    expect(where.match(/not (?:yet )?built/gi)).toHaveLength(WITHOUT_PAGE)
  })
})

/** What stands in backticks behind a link. */
type Named = Readonly<Record<'path' | 'name', string>>

function namedIn(cell: string): readonly Named[] {
  const links = cell.matchAll(/\]\(([^)]*)\)((?:,? `[^`]+`)+)/g)
  return Array.from(links).flatMap(([, link = '', names = '']) =>
    Array.from(names.matchAll(/`([^`]+)`/g), ([, name = '']) => ({ path: `docs/${link}`, name })),
  )
}

function declares({ path, name }: Named): boolean {
  const literal = name.replaceAll('.', String.raw`\.`)
  const declared = String.raw`\b(?:function\*?|const|class|interface|type) ${literal}\b`
  const row = String.raw`^\s+(?:async |readonly )?'?${literal}'?[?(:,]|\bname: '${literal}'`
  return new RegExp(`${declared}|${row}`, 'm').test(readFileSync(path, 'utf8'))
}

/** A title is a whole literal, and not that of a group. */
function hasTitle({ path, name }: Named): boolean {
  const tests = readFileSync(path, 'utf8').replaceAll(/^\s*describe\b.*$/gm, '')
  return ["'", '"', '`'].some((quote) => tests.includes(`${quote}${name}${quote},`))
}
