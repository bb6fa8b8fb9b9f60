import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { withTimeout } from '../../build/src/core/timeouts.js'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function heapBytes(): number {
  collect()
  return process.memoryUsage().heapUsed
}

it('answers that arrive without a turn of the event loop keep no memory', async () => {
  const answerAll = async (): Promise<void> => {
    for (let call = 0; call < 20_000; call += 1)
      await withTimeout('the users', Promise.resolve(null))
  }
  await answerAll()
  const before = heapBytes()
  await answerAll()
  expect(heapBytes() - before).toBeLessThan(1_000_000)
})
