import { expect, it } from 'vitest'
import type { NotificationStore } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { notificationContract } from '../../build/src/core/boundary/checked-stores.js'
import { atLeisure, checked } from '../../build/src/core/boundary/checked.js'
import { atDeadline } from '../support/time.ts'

it('a method of a store for which only a command waits may take longer than the deadline', async () => {
  const slow: NotificationStore = {
    ...memoryStores().notifications,
    latest: async () => new Promise((resolve) => setTimeout(resolve, 8000, [])),
  }
  const { latest } = checked(slow, notificationContract(atLeisure))
  const found = await atDeadline(
    async () => latest({ tenant: null, userId: 'ada' }, 1),
    () => true,
  )
  expect(found).toEqual([])
})
