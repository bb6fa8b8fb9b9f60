// The files of a worker share its modules and its hashing processes: what counts hashes watches from the first file on.
import './hashing.ts'
import { afterAll, vi } from 'vitest'

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
