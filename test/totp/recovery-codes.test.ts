import { describe, expect, it, vi } from 'vitest'
import { openSome as open } from './factor-kinds.ts'
import { enabled, openStage } from './factor-stage.ts'

describe('recovery codes', () => {
  it('are ten, of 12 characters, in groups of letters that cannot be confused', async () => {
    const { recovery } = await enabled(await openStage(open))
    expect(recovery).toHaveLength(10)
    for (const code of recovery)
      expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){2}[0-9a-hjkmnp-tv-z]{4}$/)
  })

  it.each([
    ['in capitals', (code: string) => code.toUpperCase()],
    ['with spaces', (code: string) => ` ${code.replaceAll('-', ' ')} `],
    ['in one piece', (code: string) => code.replaceAll('-', '')],
    ['with look-alikes', (code: string) => code.replaceAll('0', 'O').replaceAll('1', 'l')],
  ])('may be typed %s', async (_how, typed) => {
    const stage = await openStage(open)
    const { first, second, user } = stage
    const { recovery } = await enabled(stage)
    for (const code of recovery) {
      expect(await first.verify(user, typed(code))).toBe(true)
      expect(await second.verify(user, code)).toBe(false)
    }
  })

  it('are counted until none is left', async () => {
    const stage = await openStage(open)
    const { first, second, user } = stage
    expect(await first.recoveryCodesLeft?.(user)).toBe(0)
    const { recovery } = await enabled(stage)
    for (const [used, code] of recovery.entries()) {
      expect(await second.recoveryCodesLeft?.(user)).toBe(10 - used)
      await first.verify(user, code)
    }
    expect(await second.recoveryCodesLeft?.(user)).toBe(0)
  })

  it('log in when the key was lost, and a time code does not', async () => {
    const stage = await openStage(open)
    const { recovery, secret } = await enabled(stage)
    const other = stage.bind({ keys: ['another key that is long enough to be one'] })
    expect(await other.verify(stage.user, recovery[0] ?? '')).toBe(true)
    await expect(async () => other.verify(stage.user, stage.codeFor(secret))).rejects.toThrow(
      'the second factor of the user u1 does not open: was its key removed from `keys` too early?',
    )
  })

  it('are refused as an error where the stored text was damaged', async () => {
    const stage = await openStage(open)
    const { recovery } = await enabled(stage)
    for (const damaged of ['', '{}', '[1]', 'null']) {
      await stage.host.run(`update svc_two_factor set recovery_codes = '${damaged}'`)
      await expect(async () => stage.first.verify(stage.user, recovery[0] ?? '')).rejects.toThrow(
        'the stored recovery codes of the user u1 are not a list of hashes',
      )
    }
  })

  it('notify the host of their use, whose failure refuses no login', async () => {
    const stage = await openStage(open)
    const { recovery, secret } = await enabled(stage)
    const onRecoveryCodeUsed = vi.fn(async () => Promise.reject(new Error('no mail today')))
    const binding = stage.bind({ onRecoveryCodeUsed })
    expect(await binding.verify(stage.user, stage.codeFor(secret))).toBe(true)
    expect(await binding.verify(stage.user, 'zzzz-zzzz-zzzz')).toBe(false)
    expect(onRecoveryCodeUsed).not.toHaveBeenCalled()
    expect(await binding.verify(stage.user, recovery[0] ?? '')).toBe(true)
    expect(onRecoveryCodeUsed.mock.calls).toEqual([[stage.user]])
  })
})
