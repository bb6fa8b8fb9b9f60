import { describe, expectTypeOf, it } from 'vitest'
import type { User } from '../../../build/src/core/boundary/checked-users.js'
import type { ContextOf, HandlersOf } from '../../../build/src/http/routes/handler.js'

describe('what a handler receives', () => {
  it('has the user and the session behind the session gate', () => {
    expectTypeOf<ContextOf<'user'>>().toHaveProperty('user').toEqualTypeOf<User>()
    expectTypeOf<ContextOf<'two-factor.confirm'>>().toHaveProperty('session')
    expectTypeOf<ContextOf<'svc.email.send'>>().toHaveProperty('user')
  })

  it('has no user on a route for guests', () => {
    expectTypeOf<ContextOf<'login'>>().not.toHaveProperty('user')
    expectTypeOf<ContextOf<'logout'>>().not.toHaveProperty('session')
    expectTypeOf<ContextOf<'svc.email.verify'>>().not.toHaveProperty('user')
  })

  it('has the parameters of its path, and no others', () => {
    expectTypeOf<ContextOf<'notifications.read'>['params']>().toEqualTypeOf<
      Readonly<Record<'id', string>>
    >()
    expectTypeOf<keyof ContextOf<'user'>['params']>().toBeNever()
  })

  it('has the body of its row: the fields, maybe none, or null where the row has no body', () => {
    expectTypeOf<BodyOf<'login.two-factor'>>().toEqualTypeOf<{
      code: string
      trust_device?: boolean | undefined
    }>()
    expectTypeOf<BodyOf<'svc.email.send'>>().extract<undefined>().not.toBeNever()
    expectTypeOf<BodyOf<'logout'>>().toBeNull()
  })
})

type BodyOf<Name extends keyof HandlersOf<'login.two-factor' | 'svc.email.send' | 'logout'>> =
  Parameters<HandlersOf<Name>[Name]>[1]
