import { describe, expectTypeOf, it } from 'vitest'
import type { ContextOf } from '../../build/src/http/routes/handler.js'

interface Person {
  readonly name: string
}

describe('what a handler receives', () => {
  it('has the user and the session behind the session gate', () => {
    expectTypeOf<ContextOf<'user', Person>>().toHaveProperty('user').toEqualTypeOf<Person>()
    expectTypeOf<ContextOf<'two-factor.confirm', Person>>().toHaveProperty('session')
    expectTypeOf<ContextOf<'svc.email.send', Person>>().toHaveProperty('user')
  })

  it('has no user on a route for guests', () => {
    expectTypeOf<ContextOf<'login', Person>>().not.toHaveProperty('user')
    expectTypeOf<ContextOf<'logout', Person>>().not.toHaveProperty('session')
    expectTypeOf<ContextOf<'svc.email.verify', Person>>().not.toHaveProperty('user')
  })

  it('has the parameters of its path, and no others', () => {
    expectTypeOf<ContextOf<'notifications.read', Person>['params']>().toEqualTypeOf<
      Readonly<Record<'id', string>>
    >()
    expectTypeOf<keyof ContextOf<'user', Person>['params']>().toBeNever()
  })
})
