import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { fakeTwoFactor, fakeUsers, outbox } from '@svc/auth/testing'

const ada = { id: 'ada' }

describe('the fake second factor', () => {
  it('answers who has enabled it and who must', async () => {
    const fake = fakeTwoFactor({ enabled: ['ada'], required: ['rex'] })
    expect(await fake.isEnabledFor(ada)).toBe(true)
    expect(await fake.isEnabledFor({ id: 'rex' })).toBe(false)
    expect(await fake.isRequiredFor({ id: 'rex' })).toBe(true)
    fake.update('rex', { required: false, enabled: true })
    expect(await fake.isRequiredFor({ id: 'rex' })).toBe(false)
    expect(await fake.verify({ id: 'rex' }, 'rcv-aaaa-1111')).toBe(true)
  })

  it('always accepts its code, and each recovery code once for each user', async () => {
    const fake = fakeTwoFactor({ enabled: ['ada', 'bea'], code: '654321' })
    const codes = ['654321', '654321', '123456', 'rcv-bbbb-2222', 'rcv-bbbb-2222']
    const answers: unknown[] = []
    for (const code of codes) answers.push(await fake.verify(ada, code))
    expect(answers).toEqual([true, true, false, true, false])
    expect(await fake.verify({ id: 'bea' }, 'rcv-bbbb-2222')).toBe(true)
    expect(await fake.verify({ id: 'eve' }, '654321')).toBe(false)
  })

  it('can be set up and disabled', async () => {
    const fake = fakeTwoFactor({ recovery: ['one', 'two'] })
    const secret = await fake.newSecret()
    expect(await fake.newSecret()).not.toBe(secret)
    expect(await fake.verifySetup(secret, '123456')).toBe(true)
    expect(await fake.verifySetup(secret, '000000')).toBe(false)
    expect(await fake.verifySetup('AAAA', '123456')).toBe(false)
    expect(await fake.enable(ada, secret)).toEqual(['one', 'two'])
    expect(fake.row('ada')).toMatchObject({ enabled: true, secret, recovery: ['one', 'two'] })
    await expect(fake.enable(ada, secret)).rejects.toThrow('already')
    await fake.disable(ada)
    expect(fake.row('ada')).toMatchObject({ enabled: false, secret: null, recovery: [] })
  })

  it('fails, returns a wrong type or hangs on request, and counts calls', async () => {
    const fake = fakeTwoFactor({ enabled: ['ada'] })
    fake.failWith('verify', new Error('down'))
    await expect(fake.verify(ada, '123456')).rejects.toThrow('down')
    fake.throwAtOnce('verify', new Error('down'))
    expect(() => fake.verify(ada, '123456')).toThrow('down')
    fake.answerWith('verify', 'yes')
    expect(await fake.verify(ada, '000000')).toBe('yes')
    const letGo = fake.hang('verify')
    const late = fake.verify(ada, '123456')
    expect(await soon(late)).toBe('nothing yet')
    fake.recover()
    expect(await fake.verify(ada, '123456')).toBe(true)
    letGo()
    expect(await late).toBe(true)
    expect(fake.calls).toMatchObject({ verify: 5, isEnabledFor: 0 })
  })

  it('releases calls together, or after 300 ms', async () => {
    const fake = fakeTwoFactor({ enabled: ['ada'] })
    fake.barrier('verify', 2)
    const first = fake.verify(ada, '123456')
    expect(await soon(first)).toBe('nothing yet')
    expect(await Promise.all([first, fake.verify(ada, '123456')])).toEqual([true, true])
    fake.barrier('verify', 2)
    expect(await fake.verify(ada, '123456')).toBe(true)
  })
})

describe('the fake users', () => {
  it('verify no email that was changed meanwhile', async () => {
    const users = fakeUsers([{ id: 'ada', email: 'ada@x.test', mustVerify: true }])
    const before = await users.findById('ada', null)
    users.update('ada', { email: 'other@x.test' })
    await before?.markEmailAsVerified?.()
    expect(users.row('ada')?.emailVerifiedAt).toBeNull()
  })
})

describe('the outbox', () => {
  const mail = {
    to: 'eve@x.test',
    subject: 'Hello',
    text: 'Open http://x.test/a?b=c now',
    html: '',
  }

  it('keeps mails, and finds the latest and its link', async () => {
    const box = outbox()
    await box.send(mail)
    await box.send({ ...mail, text: 'Open https://x.test/2\n' })
    await box.send({ ...mail, to: 'rex@x.test', text: 'Nothing to open' })
    expect(box.sent).toHaveLength(3)
    expect(box.last('eve@x.test')?.text).toBe('Open https://x.test/2\n')
    expect(box.link('eve@x.test')).toBe('https://x.test/2')
    expect(box.last('ada@x.test')).toBeNull()
    expect(() => box.link('rex@x.test')).toThrow('no mail')
  })

  it('fails or hangs on request, and counts mails', async () => {
    const box = outbox()
    box.failWith(new Error('down'))
    await expect(box.send(mail)).rejects.toThrow('down')
    box.hang()
    expect(await soon(box.send(mail))).toBe('nothing yet')
    box.recover()
    await box.send(mail)
    expect(box.sent).toEqual([mail])
    expect(box.calls).toBe(3)
  })
})

/** Returns the next value, if there is one already. */
async function soon(answer: unknown): Promise<unknown> {
  return Promise.race([Promise.resolve(answer), nextTurn('nothing yet')])
}
