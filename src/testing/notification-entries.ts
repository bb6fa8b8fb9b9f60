import type {
  NewNotification,
  NotificationStore,
  Owner,
  StoredNotification,
} from '../contracts/store-contracts.ts'
import { NOW } from './store-case.ts'

/** The number of entries of a list, and more than any case adds. */
export const LISTED = 20
export const ALL = 100_000

export const ada: Owner = { tenant: null, userId: 'ada' }

export function entry(number: number): NewNotification {
  return {
    id: `6f1c0e52-7a4b-4c1d-9e00-${String(number).padStart(12, '0')}`,
    type: 'invoice.paid',
    title: `Invoice ${number}`,
    body: null,
    url: null,
    createdAt: NOW + number,
  }
}

export function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}

export async function addMany(notifications: NotificationStore, count: number): Promise<void> {
  for (const number of range(count)) await notifications.add(ada, entry(number))
}

// Copies, because rows of some drivers have no prototype.
export async function listed(
  notifications: NotificationStore,
  owner: Owner = ada,
): Promise<readonly StoredNotification[]> {
  const found = await notifications.latest(owner, LISTED)
  return Array.from(found, (it) => Object.assign({}, it))
}

export async function numbersOf(
  notifications: NotificationStore,
  limit = ALL,
): Promise<readonly number[]> {
  const found = await notifications.latest(ada, limit)
  return found.map(({ id }) => Number(id.slice(-12)))
}

export async function instants(
  notifications: NotificationStore,
): Promise<readonly (number | null)[]> {
  return (await notifications.latest(ada, ALL)).map(({ readAt }) => readAt)
}
