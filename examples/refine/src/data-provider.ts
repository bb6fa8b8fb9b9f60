import type { DataProvider, HttpError } from '@refinedev/core'
import { session } from './session.ts'

/** Sends the cookie and the CSRF token; an answer of 401 or 403 refreshes the session. */
async function send(path: string, init: RequestInit = {}) {
  const response = await session.request((fetch) => fetch(`/api/${path}`, init))
  const body = await response.json()
  if (response.ok) return body
  const error: HttpError = { message: body.message, statusCode: response.status }
  throw error
}

export const dataProvider: DataProvider = {
  getApiUrl: () => '/api',
  async getList({ resource }) {
    const data = await send(resource)
    return { data, total: data.length }
  },
  async create({ resource, variables }) {
    const headers = { 'content-type': 'application/json' }
    return {
      data: await send(resource, { method: 'POST', headers, body: JSON.stringify(variables) }),
    }
  },
  getOne: unsupported,
  update: unsupported,
  deleteOne: unsupported,
}

async function unsupported(): Promise<never> {
  throw new Error('the orders can only be listed and created')
}
