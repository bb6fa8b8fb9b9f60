import { describe, expect, it, onTestFinished } from 'vitest'
import { postgresFactors, totp } from '@svc/auth/totp'
import { PASSWORD } from '../support/browser.ts'
import { visitor } from '../support/logins.ts'
import { LOGIN } from '../support/paths.ts'
import { admin, postgresPool, postgresWithRole } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import { KEY } from './factor-stage.ts'

const READ = 'as select * from factors'
const OF_OTHER_ROLE = `create view shown ${READ}; alter view shown owner to other`
const FORCED = 'alter table factors force row level security'
const OF_OTHER_OWNER = `${OF_OTHER_ROLE}; alter table factors owner to other`

/** Creates a table with the second factor of U1, whose policies hide every row from the panel. */
async function startWith(views: string) {
  const { owner, url, role } = await postgresWithRole()
  const other = `${role}_other`
  await admin(
    owner,
    `create table factors
       (user_id text primary key, secret text, recovery_codes text, last_step bigint);
     insert into factors values ('u1', 'sealed', '[]', 1);
     create role ${other};
     ${views.replaceAll(/\bother\b/g, other)};
     grant select on all tables in schema public to ${role}, ${other};
     alter table factors enable row level security`,
  )
  onTestFinished(
    async () => void (await admin(owner, `drop owned by ${other}; drop role ${other}`)),
  )
  const factors = postgresFactors(postgresPool(url), { table: 'shown' })
  const service = await startService({
    twoFactor: totp({ issuer: 'Acme', factors, keys: [KEY] }),
  })
  const logIn = async () =>
    (await visitor(service)).post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
  return { owner, role, other, factors, log: service.log, logIn }
}

describe('a view of second factors', () => {
  it.each([
    ['with security_invoker', `create view shown with (security_invoker = on) ${READ}`],
    [
      'over a view with security_invoker',
      `create view inner_one with (security_invoker) ${READ};
       create view shown as select * from inner_one`,
    ],
    [
      'whose security_invoker is in another view',
      `create view inner_one ${READ};
       create view shown with (security_invoker) as select inner_one.* from inner_one, factors`,
    ],
    ['of a role to which the policies apply', OF_OTHER_ROLE],
    ['of the owner of a table whose row level security is forced', `${OF_OTHER_OWNER}; ${FORCED}`],
  ])('lets nobody in while policies may hide its rows: %s', async (_kind, views) => {
    const { logIn, log } = await startWith(views)
    expect((await logIn()).status).toBe(503)
    const errors = log.map(({ fields }) => String(Reflect.get(fields, 'err')))
    expect(errors).toContainEqual(expect.stringContaining('row level security of shown'))
  })

  it.each([
    ['owns the table', OF_OTHER_OWNER],
    ['has BYPASSRLS', `${OF_OTHER_ROLE}; alter role other bypassrls`],
    ['is a superuser', `${OF_OTHER_ROLE}; alter role other superuser; ${FORCED}`],
  ])('is read where its owner sees every row: it %s', async (_why, views) => {
    const { logIn, factors } = await startWith(views)
    expect((await logIn()).json).toMatchObject({ two_factor: true })
    expect(await factors.read('u2')).toBeNull()
  })

  it.each([
    ['role', `create view shown with (security_invoker) ${READ}`],
    ['other', OF_OTHER_ROLE],
  ] as const)('is read where a policy admits the %s to every row', async (to, views) => {
    const { owner, logIn, factors, ...roles } = await startWith(views)
    await admin(owner, `create policy reads on factors for select to ${roles[to]} using (true)`)
    expect((await logIn()).json).toMatchObject({ two_factor: true })
    expect(await factors.read('u2')).toBeNull()
  })
})
