import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { twoFactorCases, type TwoFactorSubject } from '@svc/auth/testing'
import { stepAt, stepOf, subjectOf, type Deviation, type ModelUser } from './model-authenticator.ts'

describe('a correct binding', () => {
  for (const { name, run } of twoFactorCases) it(name, async () => run(subjectOf()))
})

/** Bindings as they are really written, and the cases that must fail for each, at least. */
const broken: Readonly<
  Record<string, { readonly deviation: Deviation; readonly caughtBy: readonly string[] }>
> = {
  'that reuses recovery codes': {
    deviation: ({ factors }, right) => ({
      verify: async (user: ModelUser, code: string) =>
        factors.get(user.id)?.recovery.has(code) === true || right.verify(user, code),
    }),
    caughtBy: [
      'a recovery code is accepted once, and the others stay',
      'of 20 uses of a recovery code at once one is accepted',
    ],
  },
  'that replays a code': {
    deviation: ({ factors, now }, right) => ({
      verify: async (user: ModelUser, code: string) => {
        const secret = factors.get(user.id)?.secret
        if (secret !== undefined && stepOf(secret, code, now()) !== null) return true
        return right.verify(user, code)
      },
    }),
    caughtBy: [
      'a code is accepted once',
      'of 20 uses of a code at once one is accepted',
      'the code of the set-up does not log in',
    ],
  },
  'that only remembers the last code': {
    deviation: ({ factors, now }, right) => {
      const last = new Map<string, string>()
      return {
        verify: async (user: ModelUser, code: string) => {
          const secret = factors.get(user.id)?.secret
          if (secret === undefined || stepOf(secret, code, now()) === null) {
            return right.verify(user, code)
          }
          if (last.get(user.id) === code) return false
          last.set(user.id, code)
          return true
        },
      }
    },
    // Each instance remembers by itself, too.
    caughtBy: ['a code is accepted once', 'a code is refused after a later one was accepted'],
  },
  'that accepts the code of the set-up again': {
    deviation: ({ factors }, right) => ({
      enable: async (user: ModelUser, secret: string) => {
        const codes = await right.enable(user, secret)
        const factor = factors.get(user.id)
        if (factor !== undefined) factor.lastStep = 0
        return codes
      },
    }),
    caughtBy: ['the code of the set-up does not log in'],
  },
  'that forgets to await its own check, whose promise is truthy': {
    deviation: (_model, right) => ({
      verify: async (user: ModelUser, code: string) => Boolean(right.verify(user, code)),
    }),
    caughtBy: [
      'nobody has it enabled at first, and no code is right',
      'a wrong code is refused, and the right one after it is not',
      'hostile codes are refused, without an error',
    ],
  },
  'that answers with a promise inside an object': {
    deviation: (_model, right) => ({
      verify: (user: ModelUser, code: string) => ({ valid: right.verify(user, code) }),
    }),
    caughtBy: ['every yes and no is a plain boolean'],
  },
  'that answers with the number of rows': {
    deviation: (_model, right) => ({
      verify: async (user: ModelUser, code: string) => ((await right.verify(user, code)) ? 1 : 0),
    }),
    caughtBy: ['every yes and no is a plain boolean'],
  },
  'that does not know whether it is enabled': {
    deviation: ({ factors }) => ({
      isEnabledFor: async ({ id }: ModelUser) => (factors.has(id) ? true : undefined),
    }),
    caughtBy: ['every yes and no is a plain boolean'],
  },
  'that reads the last step, and writes it later': {
    deviation: ({ factors, now }, right) => ({
      verify: async (user: ModelUser, code: string) => {
        const factor = factors.get(user.id)
        const step = factor === undefined ? null : stepOf(factor.secret, code, now())
        if (factor === undefined || step === null) return right.verify(user, code)
        if (step <= factor.lastStep) return false
        await nextTurn()
        factor.lastStep = step
        return true
      },
    }),
    caughtBy: ['of 20 uses of a code at once one is accepted'],
  },
  'that reads the list of recovery codes, and writes it back': {
    deviation: ({ factors }, right) => ({
      verify: async (user: ModelUser, code: string) => {
        const recovery = factors.get(user.id)?.recovery
        if (recovery?.has(code) !== true) return right.verify(user, code)
        await nextTurn()
        recovery.delete(code)
        return true
      },
    }),
    caughtBy: ['of 20 uses of a recovery code at once one is accepted'],
  },
  'that writes back an old list, with codes that others have used': {
    deviation: ({ factors }, right) => ({
      verify: async (user: ModelUser, code: string) => {
        const factor = factors.get(user.id)
        if (factor?.recovery.has(code) !== true) return right.verify(user, code)
        const rest = [...factor.recovery].filter((one) => one !== code)
        await nextTurn()
        factors.set(user.id, { ...factor, recovery: new Set(rest) })
        return true
      },
    }),
    caughtBy: ['recovery codes that are used at once are each accepted'],
  },
  'whose instances lock only themselves': {
    deviation: ({ factors }, right) => {
      let turn: Promise<unknown> = Promise.resolve()
      async function racing(user: ModelUser, code: string): Promise<boolean> {
        const recovery = factors.get(user.id)?.recovery
        if (recovery?.has(code) !== true) return right.verify(user, code)
        await nextTurn()
        recovery.delete(code)
        return true
      }
      return {
        verify: (user: ModelUser, code: string) => {
          const answer = turn.then(() => racing(user, code))
          turn = answer.catch(() => {})
          return answer
        },
      }
    },
    caughtBy: ['of 20 uses of a recovery code at once one is accepted'],
  },
  'that overwrites what is enabled': {
    deviation: ({ factors }, right) => ({
      enable: async (user: ModelUser, secret: string) => {
        factors.delete(user.id)
        return right.enable(user, secret)
      },
    }),
    caughtBy: ['enabling twice is an error and overwrites nothing'],
  },
  'that looks whether it is enabled, and enables it later': {
    deviation: ({ factors }, right) => ({
      enable: async (user: ModelUser, secret: string) => {
        if (factors.has(user.id)) throw new Error('it is enabled already')
        const draft = { id: randomUUID() }
        const codes = await right.enable(draft, secret)
        const factor = factors.get(draft.id)
        if (factor !== undefined) factors.set(user.id, factor)
        return codes
      },
    }),
    caughtBy: ['of 20 times enabling at once one succeeds'],
  },
  'that looks a recovery code up without its owner': {
    deviation: ({ factors }, right) => ({
      verify: async (user: ModelUser, code: string) =>
        [...factors.values()].some(({ recovery }) => recovery.delete(code)) ||
        right.verify(user, code),
    }),
    caughtBy: ['the codes of one user do not open another'],
  },
  'that keeps the recovery codes when it is disabled': {
    deviation: ({ factors }, right) => ({
      disable: ({ id }: ModelUser) => {
        const factor = factors.get(id)
        if (factor !== undefined) factors.set(`left of ${id}`, factor)
        factors.delete(id)
      },
      verify: async (user: ModelUser, code: string) =>
        factors.get(`left of ${user.id}`)?.recovery.delete(code) === true ||
        right.verify(user, code),
    }),
    caughtBy: ['disabling ends all codes'],
  },
  'that keeps the secret when it is disabled': {
    deviation: ({ factors, now }, right) => ({
      disable: ({ id }: ModelUser) => {
        const factor = factors.get(id)
        if (factor !== undefined) factors.set(`left of ${id}`, factor)
        factors.delete(id)
      },
      verify: async (user: ModelUser, code: string) => {
        const secret = factors.get(`left of ${user.id}`)?.secret
        if (secret !== undefined && stepOf(secret, code, now()) !== null) return true
        return right.verify(user, code)
      },
    }),
    caughtBy: ['disabling ends all codes', 'enabled anew, only the new codes are right'],
  },
  'whose recovery codes can be guessed': {
    deviation: (_model, right) => ({
      enable: async (user: ModelUser, secret: string) => {
        await right.enable(user, secret)
        return Array.from({ length: 10 }, (_, index) => `recovery-code-${index}${index}1234`)
      },
    }),
    caughtBy: ['enabling gives enough recovery codes that nobody can guess'],
  },
  'that gives the same secret again': {
    deviation: () => ({ newSecret: () => 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    caughtBy: ['a new secret is another one each time, random enough, in base32'],
  },
  'whose secrets are short': {
    deviation: (_model, right) => ({
      newSecret: async () => (await right.newSecret()).slice(0, 16),
    }),
    caughtBy: ['a new secret is another one each time, random enough, in base32'],
  },
  'that enables with the set-up': {
    deviation: ({ factors, now }, right) => ({
      verifySetup: async (secret: string, code: string) => {
        factors.set('ada', { secret, lastStep: stepAt(now()), recovery: new Set() })
        return right.verifySetup(secret, code)
      },
    }),
    caughtBy: ['a set-up that was not finished enables nothing'],
  },
  'that throws at a strange code': {
    deviation: (_model, right) => ({
      verify: async (user: ModelUser, code: string) => {
        if (!/^[\da-f]+$/.test(code)) throw new Error('that is not a code')
        return right.verify(user, code)
      },
    }),
    caughtBy: ['hostile codes are refused, without an error'],
  },
  'that reads a code up to the first strange character': {
    deviation: (_model, right) => ({
      verify: (user: ModelUser, code: string) => right.verify(user, code.split('\0')[0] ?? ''),
    }),
    caughtBy: ['hostile codes are refused, without an error'],
  },
}

describe('a binding', () => {
  it.each(Object.entries(broken))('%s is caught', async (_how, { deviation, caughtBy }) => {
    expect(await failing(subjectOf(deviation))).toEqual(expect.arrayContaining([...caughtBy]))
  })

  it('passes the required bits of a secret and the lifetime of a code to the suite', async () => {
    const secrets = {
      newSecret: () =>
        Math.random()
          .toString()
          .replaceAll(/[^2-7]/g, 'A'),
    }
    const name = 'a new secret is another one each time, random enough, in base32'
    const subject = subjectOf(() => secrets)
    expect(await failing({ ...subject, secretBits: 20 })).not.toContain(name)
    expect(await failing({ ...subject, secretBits: 500 })).toContain(name)
  })
})

async function failing(subject: TwoFactorSubject<ModelUser>): Promise<string[]> {
  const names: string[] = []
  for (const { name, run } of twoFactorCases) {
    await run(subject).catch(() => names.push(name))
  }
  return names
}
